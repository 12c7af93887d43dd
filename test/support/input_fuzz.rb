# Sends invalid values to each field of form, YAML and JSON, and complains of responses other than 422 with the name of
# the field. A session is an ActionDispatch::Integration::Session of a signed-in account, or an integration test.
class InputFuzz
  Target = Struct.new(:name, :path, :base, :fields, :names, :send_as, :saves, keyword_init: true)
  Case = Struct.new(:target, :field, :kind) do
    def to_s
      "#{target.name}, #{field.join(".")}: #{kind}"
    end
  end

  MILLION = 1_000_000
  PASSWORD = "correct horse battery"
  VALUES = {
    "empty" => "", "blanks" => " \t ", "null" => nil, "true" => true, "a word" => "fast", "zero" => 0, "negative" => -1,
    "a fraction" => 1.5, "infinite" => Float::INFINITY, "just too large" => 2**31, "huge" => 10**30,
    "huge with a unit" => "#{10**30}s", "a list" => [ 1, "two" ], "a list of lists" => [ [ [ 1 ] ] ],
      "pairs" => { "a" => "b" }, "nested" => { "a" => { "b" => [ { "c" => 1 } ] } }, "empty pairs" => {},
      "empty list" => [],
    "deeply nested" => 40.times.inject("x") { |inside, _| { "a" => inside } }, "a million characters" => "x" * MILLION,
      "a million blanks" => "p99#{" " * MILLION}x", "a million digits" => "9" * MILLION,
    "a NUL" => "a\0b", "no UTF-8" => "a\xffb", "two lines" => "a\r\nb=c", "markup" => "<b>\"'&",
      "other letters" => "\u202eзапуск\u{1f4a3}", "an address" => "postgresql://u:p@@:99999/x?y=z", "a " \
        "port 22x" => "22x", "a percentage" => "p99 < 0 ms",
    "a long time" => "errors > 1 % for 99999999999 s", "an option" => "--upload-pack=x", "a path" => "../../etc/passwd",
      "a hash sign" => "#x=y", "keys" => "=\n= =\n\x01=2"
  }
  # Rails refuses these with 400 while it reads the request, before a field has a name.
  UNREADABLE = [ "no UTF-8", "deeply nested" ]

  PLAIN = { "name" => "Fuzz", "description" => "x", "tags" => [ "a" ], "scale" => 1,
    "provider" => "local", "database" => "embedded",
    "database_settings" => { "fill" => "1,2,3" }, "keep_database" => false, "revision" => "HEAD", "duration" => "30s",
    "warmup" => "5s", "cooldown" => "0s", "timeout" => "10min", "when_jvm_dies" => "fail", "jit_compiler" => "c2",
      "thresholds" => [ "errors < 1 %" ], "abort_when" => [ "errors > 50 % for 10 s" ] }
  GROUP = {
    "name" => "g", "scenario" => "Broker", "machines" => 1, "jvms" => 1, "heap" => "64m",
    "instance_type" => "c6i.large", "profile" => true, "settings" => { "workers" => "2" }
  }
  SERVER = { "system" => "rabbitmq", "address" => "amqp://u:p@mq.example.org", "settings" => { "queue" => "quorum" } }
  DEFINITION = PLAIN.merge("brokers" => [ GROUP ],
    "clients" => [ GROUP.merge("scenario" => "OneWayClient", "clients" => 2, "settings" => { "rate" => "10/s" }) ])
  AT_ADDRESS = PLAIN.slice("name", "provider", "duration", "revision").merge("brokers" => [ SERVER ],
    "clients" => [ { "scenario" => "PublicQueueProducer", "clients" => 2 } ])
  PHASES = PLAIN.slice("name", "provider").merge("brokers" => [ { "scenario" => "Broker" } ],
    "clients" => [ { "scenario" => "OneWayClient", "clients" => 2, "settings" => { "rate" => "10/s" } } ],
    "load" => [ { "for" => "25s", "rate" => "5/s", "name" => "a" },
      { "until" => "backlog = 0", "at_most" => "9s", "takers" => "paused" } ])
  FORM_GROUP = {
    "id" => "17", "position" => "0", "_destroy" => "0",
    "name" => "g", "scenario" => "Broker", "machine_count" => "1", "jvm_count" => "1",
    "heap" => "64m", "instance_type" => "", "profile" => "1", "scenario_settings" => { "workers" => "2" },
      "further_settings_text" => "a=b"
  }
  FORM = { "name" => "Fuzz", "description" => "x", "tag_list" => "a, b", "provider_id" => "1", "revision" => "HEAD",
    "database_kind" => "url", "database_url" => "postgresql://u:p@db.example.org/x", "keep_database" => "0",
    "database_fields" => { "fill" => "1,2,3" }, "further_database_settings_text" => "", "warmup" => "5s",
      "duration" => "30s", "cooldown" => "0", "timeout" => "10min", "when_jvm_dies" => "fail", "jit_compiler" => "c2",
      "thresholds" => [ "errors < 1 %" ],
    "abort_when" => [ "errors > 50 % for 10 s" ], "broker_groups_attributes" => { "0" => FORM_GROUP },
    "client_groups_attributes" => { "0" => FORM_GROUP.merge("scenario" => "OneWayClient", "client_count" => "3",
      "scenario_settings" => { "rate" => "10/s" }) } }
  FORM_AT_ADDRESS = FORM.slice("name", "provider_id", "revision", "duration").merge(
    "broker_groups_attributes" => { "0" => { "system" => "rabbitmq",
      "shown_address" => "amqp://u:p@mq.example.org", "scenario_settings" => { "queue" => "quorum" } } },
    "client_groups_attributes" => { "0" => { "scenario" => "PublicQueueProducer",
      "client_count" => "3" } })
  EXPERIMENT = { "name" => "Fuzz", "duration" => "30s", "brokers" => [ { "scenario" => "Broker" } ],
    "clients" => [ { "scenario" => "OneWayClient", "clients" => 2 } ], "scale" => 1,
    "experiment" => { "design" => "2k-p",
      "factors" => [ { "name" => "workers", "unit" => "threads", "path" => "brokers.0.settings.workers",
        "levels" => [ 2, 4 ] }, { "name" => "clients", "paths" => { "clients.0.clients" => [ 1, 2 ] },
          "levels" => [ 5, 10 ] },
        { "name" => "batch", "path" => "brokers.0.settings.batch.max", "levels" => [ 1, 9 ] } ],
      "generators" => [ "c=ab" ], "repetitions" => { "until" => "mean +- 5 %", "at_most" => 5 }, "order" => "random",
      "seed" => 7, "again" => 1, "start" => "fresh", "response" => "p99" } }
  EXPERIMENT_FORM = { "design" => "grid", "repetitions" => "2", "until" => "", "at_most" => "", "order" => "listed",
    "seed" => "1", "again" => "0", "start" => "fresh", "response" => "mean", "generators" => "", "points" => "",
    "factors" => [ { "name" => "workers", "unit" => "", "levels" => "2, 4",
      "paths" => "brokers.0.settings.workers" } ] }
  SSH = {
    "name" => "lab", "hosts" => "10.0.0.5", "ssh_user" => "u", "ssh_port" => "22", "private_key" => "",
    "passphrase" => "", "key_file" => "", "known_hosts" => "", "unknown_hosts" => "learn", "folder" => "x"
  }
  EC2 = { "name" => "cloud", "region" => "us-east-1", "endpoint" => "", "disk_size" => "20", "maximum_price" => "1",
    "boot_timeout" => "60", "limit_run" => "5", "limit_day" => "20", "limit_instances" => "3", "limit_hours" => "8",
    "ssh_port" => "22", "market" => "spot", "address" => "public", "ssh_from" => "here", "image" => "x",
      "owner" => "me" }

  # The names of fields in messages, where they differ.
  NAMES = { "factors" => "factor", "load_phases" => "phases",
    "tag_list" => "tags", "provider_id" => "provider", "database_kind" => "database",
    "database_url" => "database", "database_fields" => "database", "further_database_settings_text" => "database",
    "machines" => "machine", "jvms" => "jvm",
    "clients" => "client", "brokers" => "broker", "broker_groups_attributes" => "broker",
      "client_groups_attributes" => "client", "scenario_settings" => "settings", "further_settings_text" => "settings",
      "fill" => "fill",
    "argument" => "line", "seconds" => "line", "test_run_ids" => "run", "q" => "words", "email_address" => "address",
    "shown_address" => "address",
    "queue" => "settings", "present_password" => "present password", "when_jvm_dies" => "when a jvm dies" }

  attr_reader :complaints, :answers

  # user: the account of the session, an administrator
  def initialize(session, user:, test_run:, random:)
    @session, @user, @test_run, @random = session, user, test_run, random
    @complaints, @answers = [], Hash.new(0)
  end

  # @return all cases in an order that the seed decides
  def cases
    @cases ||= targets.flat_map { |target| paths_in(target.base)
      .product(VALUES.keys).map { |field, kind| Case.new(target, field, kind) } }.shuffle(random: @random)
  end

  def try(it)
    Timeout.timeout(60) { send_to it.target, replaced(it.target.base, it.field, VALUES.fetch(it.kind)) }
    @answers[response.status] += 1
    judge it
    tidy_up
  rescue StandardError, ScriptError, SystemStackError, NoMemoryError => error
    return @answers[400] += 1 if it.kind.in?(UNREADABLE) && unreadable?(error)
    complain it,
      "#{error.class}: #{error.message.to_s.scrub.truncate(300)} at " \
        "#{Array(error.backtrace).find { |line| line.include?("/testmaster/") }}"
  end

  private
    # In tests, Rails raises the errors that it otherwise answers with 400.
    def unreadable?(error)
      error &&
        (error.is_a?(ActionDispatch::Http::Parameters::ParseError) || error.is_a?(ActionController::BadRequest) ||
          unreadable?(error.cause))
    end

    # Accepted values must not affect later cases.
    def tidy_up
      Provider.where(name: [ SSH, EC2 ].pluck("name")).or(Provider.where.not(type: "Provider::Local")).destroy_all
      Invitation.delete_all
      unless @user.reload.email_address == "fuzz@example.org" && @user.authenticate(PASSWORD)
        @user.update! email_address: "fuzz@example.org", password: PASSWORD
      end
    end

    def response
      @session.response
    end

    # Makes a console whose database is unavailable; requests are parsed before that is noticed.
    def console_path
      away = MessageDatabase.find_or_initialize_by(name: "Fuzz") { |it| it.address = "postgresql://u:p@127.0.0.1:1/x" }
      away.save! validate: false
      "/message_databases/#{away.id}/console"
    end

    def targets
      [ Target.new(name: "form", path: "/test_runs", base: FORM, send_as: :form, saves: true),
        Target.new(name: "estimate", path: "/test_runs/estimate", base: FORM, send_as: :form),
        Target.new(name: "JSON", path: "/test_runs.json", base: DEFINITION, send_as: :json, saves: true),
        Target.new(name: "YAML", path: "/test_runs.json", base: DEFINITION, send_as: :yaml, saves: true),
        Target.new(name: "form, address", path: "/test_runs", base: FORM_AT_ADDRESS, send_as: :form, saves: true),
        Target.new(name: "YAML, address", path: "/test_runs.json", base: AT_ADDRESS, send_as: :yaml, saves: true),
        Target.new(name: "YAML, phases", path: "/test_runs.json", base: PHASES, send_as: :yaml, saves: true),
        Target.new(name: "form, phases", path: "/test_runs", base: FORM.merge(
          "load_phases" => "for: 25s, takers: paused"), send_as: :form, saves: true),
        Target.new(name: "import", path: "/definitions", base: DEFINITION, send_as: :import, saves: true),
        Target.new(name: "command", path: "/test_runs/#{@test_run.id}/commands.json",
          base: { "target" => "clients", "line" => "rate", "argument" => "5" }, send_as: :command),
        Target.new(name: "command to record", path: "/test_runs/#{@test_run.id}/commands.json",
          base: { "target" => "clients", "line" => "profile", "seconds" => "5" }, send_as: :command),
        Target.new(name: "analysis", path: "/test_runs/#{@test_run.id}/analyses.json",
          base: { "kind" => "cdf", "action_prefix" => "C", "window" => "1s", "percentiles" => "50" },
          send_as: :analysis),
        Target.new(name: "prediction", path: "/test_runs/#{finished.id}/predictions.json",
          base: { "clients" => "8", "brokers" => "2", "workers" => "2", "connections" => "2",
            "database_faster" => "1.5" }, send_as: :prediction),
        Target.new(name: "prediction of a rate", path: "/test_runs/#{finished.id}/predictions.json",
          base: { "rate" => "100/s" }, send_as: :prediction),
        Target.new(name: "provider ssh", path: "/settings/providers?kind=ssh", base: SSH, send_as: :provider),
        Target.new(name: "provider ec2", path: "/settings/providers?kind=ec2", base: EC2, send_as: :provider),
        Target.new(name: "token", path: "/settings/api_tokens",
          base: { "name" => "x", "role" => "viewer", "lifetime" => "30 days" }, send_as: :api_token),
        Target.new(name: "comparison", path: "/comparisons.json", base: { "sides" => [ [ @test_run.id ],
          [ @test_run.id ] ] }, send_as: :comparison),
        Target.new(name: "notes", path: "/test_runs/#{@test_run.id}/notes.json", base: { "name" => "Fuzz",
          "description" => "x", "tags" => [ "a" ] }, send_as: :notes),
        Target.new(name: "tagging", path: "/test_runs/tagging.json",
          base: { "tag" => "a", "test_run_ids" => [ @test_run.id ] }, send_as: :plain),
        Target.new(name: "baseline", path: "/test_runs/#{@test_run.id}/baselines.json", base: { "of" => "name" },
          send_as: :plain),
        Target.new(name: "duplicate", path: "/test_runs/#{@test_run.id}/duplicate.json", base: { "commit" => "head" },
          send_as: :plain),
        Target.new(name: "webhook", path: "/settings/webhook", base: { "url" => "https://example.org/x",
          "secret" => "a secret of the fuzz" }, send_as: :webhook),
        Target.new(name: "retention", path: "/settings/retention", base: { "figures" => "30", "audit" => "400" },
          send_as: :retention),
        Target.new(name: "invitation", path: "/settings/invitations",
          base: { "email_address" => "y@example.org", "role" => "viewer" }, send_as: :invitation),
        Target.new(name: "series", path: "/test_runs/#{@test_run.id}/series.json",
          base: { "from" => "0", "to" => "10", "step" => "1" }, send_as: :query),
        Target.new(name: "logs", path: "/test_runs/#{@test_run.id}/logs",
          base: { "q" => "x", "level" => "INFO", "from" => "0", "to" => "10", "jvm" => "broker_0" }, send_as: :query),
        Target.new(name: "message database", path: "/settings/message_databases",
          base: { "shown_address" => "postgresql://u:p@127.0.0.1:1/x" }, send_as: :message_database),
        Target.new(name: "change of a queue", path: "#{console_path}/queues/1/changes.json",
          base: { "kind" => "emptying" }, send_as: :change),
        Target.new(name: "messages", path: "#{console_path}/messages", base: { "queue" => "x", "queue_id" => "1",
          "sender" => "x", "receiver" => "x", "context" => "1", "priority" => "5", "place" => "leased",
          "after" => "1-0-5-3" }, send_as: :query),
        Target.new(name: "queues", path: "#{console_path}/queues", base: { "prefix" => "x", "kind" => "public",
          "sort" => "name", "after" => "x 3" }, send_as: :query),
        Target.new(name: "audit log", path: "/audit_entries", base: { "who" => "x", "q" => "run", "page" => "1" },
          send_as: :query),
        Target.new(name: "account", path: "/settings/account",
          base: { "email_address" => "x@example.org", "password" => "a new password!", "present_password" => PASSWORD },
          send_as: :account),
        Target.new(name: "list", path: "/test_runs",
          base: { "state" => "draft", "q" => "rate:100", "tag" => "a", "provider" => "local", "page" => "1" },
          send_as: :query),
        Target.new(name: "experiment", path: "/experiments/estimate.json", base: EXPERIMENT, send_as: :json),
        Target.new(name: "find", path: "/experiments/estimate.json", base: EXPERIMENT.except("scale").merge(
          "experiment" => { "find" => { "path" => "clients.0.settings.rate", "from" => "100/s", "to" => "800/s",
            "until" => [ "p99 < 50 ms" ], "within" => "5 %", "by" => "steps" }, "repetitions" => 3 }), send_as: :json),
        Target.new(name: "form of an experiment", path: "/experiments", base: EXPERIMENT_FORM, send_as: :experiment),
        Target.new(name: "run of an experiment", path: "/experiments", base: FORM, send_as: :run_of_experiment),
        Target.new(name: "levels", path: "/experiments/#{experiment.id}/levels.json",
          base: { "factor" => "workers", "levels" => [ "8" ] }, send_as: :plain),
        Target.new(name: "repetitions", path: "/experiments/#{experiment.id}/repetitions.json", base: { "more" => "1" },
          send_as: :plain),
        Target.new(name: "predictions of an experiment", path: "/experiments/#{experiment.id}/predictions.json",
          base: { "run_id" => finished.id.to_s }, send_as: :plain),
        Target.new(name: "evaluation", path: "/experiments/#{experiment.id}/evaluation.json",
          base: { "response" => "p99" }, send_as: :plain),
        Target.new(name: "points", path: "/experiments/#{experiment.id}",
          base: { "sort" => "-p99", "figure" => "mean" }, send_as: :query),
        Target.new(name: "sign-in", path: "/session",
          base: { "email_address" => "x@example.org", "password" => "wrong" }, send_as: :sign_in) ]
    end

    # The run has logs and no rate, so that predictions can be requested.
    def finished
      @finished ||= TestRun.from_definition(replaced(DEFINITION, [ "clients", 0, "settings" ], {})).tap do |run|
        run.update! creator: @user
        run.update_columns state: "finished", launched_at: 1.minute.ago, ended_at: Time.current
        run.archive.attach io: StringIO.new("PK"), filename: "logs.zip"
      end
    end

    # The experiment is paused, so that nothing is launched.
    def experiment
      @experiment ||= Experiment.from_definition(EXPERIMENT.merge("provider" => "local")).tap do |it|
        it.creator = @user
        it.save!
        it.update! state: "paused", launched_at: Time.current
      end
    end

    # @return [ [ "name" ], [ "brokers", 0, "machines" ], … ], including containers
    def paths_in(value, path = [])
      inside = value.is_a?(Hash) ?
        value.to_a : value.is_a?(Array) ? value.each_with_index.map { |item, index| [ index, item ] } : []
      (path.empty? ? [] : [ path ]) + inside.flat_map { |key, item| paths_in(item, [ *path, key ]) }
    end

    def replaced(base, path, value)
      base.deep_dup.tap do |copy|
        place = path[0...-1].inject(copy) { |inside, key| inside[key] }
        place[path.last] = value
      end
    end

    def send_to(target, values)
      case target.send_as
      when :form      then @session.post target.path, params: { test_run: with_provider(values) }
      when :json      then @session.post target.path, params: { definition: values }.to_json_leniently, headers: json
      when :yaml      then @session.post target.path, params: { definition: yaml(values) }.to_json_leniently,
        headers: json
      when :import    then @session.post target.path, params: { text: yaml(values) }
      when :command   then @session.post target.path, params: { command: values }.to_json_leniently, headers: json
      when :analysis  then @session.post target.path, params: { analysis: values }.to_json_leniently, headers: json
      when :prediction then @session.post target.path, params: { prediction: values }.to_json_leniently, headers: json
      when :provider  then @session.post target.path, params: { provider: values }
      when :api_token then @session.post target.path, params: { api_token: values }
      when :invitation then @session.post target.path, params: { invitation: values }
      when :comparison, :notes, :plain, :retention, :webhook then send_by_name target, values
      when :account   then @session.patch target.path, params: { user: values }
      when :message_database then @session.post target.path, params: { message_database: values }
      when :change    then @session.post target.path, params: { change: values }.to_json_leniently, headers: json
      when :experiment then @session.post target.path, params: { test_run: FORM, experiment: values }
      when :run_of_experiment
        @session.post target.path, params: { test_run: values, experiment: EXPERIMENT_FORM }
      when :query     then @session.get target.path, params: values
      when :sign_in   then Rails.cache.clear && @session.post(target.path, params: values)
      end
    end

    def send_by_name(target, values)
      case target.send_as
      when :retention then @session.patch target.path, params: { retention: values }
      when :webhook then @session.patch target.path, params: { webhook: values }
      when :notes   then @session.patch target.path, params: { notes: values }.to_json_leniently, headers: json
      when :plain   then @session.post target.path, params: values.to_json_leniently, headers: json
      else @session.post target.path, params: { comparison: values }.to_json_leniently, headers: json
      end
    end

    def with_provider(values)
      values["provider_id"] == "1" ? values.merge("provider_id" => Provider::Local.default.id) : values
    end

    def json
      { "CONTENT_TYPE" => "application/json", "ACCEPT" => "application/json" }
    end

    def yaml(values)
      values.to_yaml
    rescue ArgumentError, EncodingError
      values.to_json_leniently
    end

    def judge(it)
      case response.status
      when 500.. then complain it, "answered #{response.status}"
      when 422   then complain it, "does not name the field: #{visible.truncate(300)}" unless names_field?(it)
      when 400
        # A form omits empty pairs, so a form without other fields sends nothing.
        complain it, "answered 400: #{visible.truncate(200)}" unless it.kind.in?(UNREADABLE) ||
          it.kind == "empty pairs" && visible.include?("The request has no")
      when 200..399 then check_saved_pages it if it.target.saves
      when 404   then complain it, "answered 404" unless it.field.include?("provider_id")
      else complain it, "answered #{response.status}"
      end
    end

    def names_field?(it)
      return true if it.target.send_as == :sign_in

      words = it.field.grep(String).reject { |key| key.match?(/\A\d+\z/) }
      names = words.flat_map { |word| [ word, NAMES[word], word.humanize, word.humanize.sub("Ssh", "SSH") ] }
        .compact.map(&:downcase)
      said = visible.downcase
      names.any? { |name| said.include?(name) } || (it.kind == "deeply nested" && said.include?("nested"))
    end

    # @return the error messages of a response; the labels of a page would name every field
    def visible
      return response.body unless response.media_type == "text/html"

      page = Nokogiri::HTML5(response.body, max_tree_depth: -1)
      [ *page.css("[role=alert], .error, .note--bad").map(&:text),
        *page.css("[aria-invalid=true]").map { |field| field["id"] } ].join(" ")
    end

    # Accepted values must not break the pages that show them.
    def check_saved_pages(it)
      run = TestRun.order(:id).last
      [ "/test_runs/#{run.id}.json", "/test_runs/#{run.id}/definition.yml", "/test_runs/#{run.id}/edit", "/test_runs",
        "/test_runs.json" ].each do |path|
        @session.get path
        complain it, "was taken, and #{path} answers #{response.status}" unless response.status == 200
      end
      @session.post "/test_runs.json", params: { definition: run.to_definition }.to_json, headers: json
      unless response.status == 201 || run.database_kind == "url"
        complain it, "was taken, and its own definition is not: #{response.body.truncate(300)}"
      end
    ensure
      TestRun.draft.where(name: TestRun.where(id: run.id..).pluck(:name)).where(id: run.id..).destroy_all if run
    end

    def complain(it, what)
      @complaints << "#{it}: #{what}".squish
    end

  # Encodes invalid UTF-8 as JSON too, as a client may send it.
  module Leniently
    def to_json_leniently
      case self
      when Hash   then "{#{map { |key, value| "#{key.to_s.to_json}:#{value.to_json_leniently}" }.join(",")}}"
      when Array  then "[#{map(&:to_json_leniently).join(",")}]"
      when String then valid_encoding? ? JSON.generate(self) : "\"#{b}\"".force_encoding("UTF-8")
      when Float  then infinite? ? "1e999" : JSON.generate(self)
      else JSON.generate(self)
      end
    end
  end
  [ Hash, Array, String, Integer, Float, NilClass, TrueClass, FalseClass ].each { |kind| kind.include Leniently }
end
