require "yaml"
require_relative "api"
require_relative "command"
require_relative "comparison"
require_relative "experiment"
require_relative "overrides"
require_relative "prediction"
require_relative "report"

module Testmaster
  # bin/testmaster: what the pages do, from a shell.
  class CommandLine
    option = ->(key, *words, help:, many: false) { Command::Option.new(key: key, words: words, help: help, many: many) }
    json = option.(:json, "--json", help: "the answer as JSON")
    wait = option.(:wait, "--wait", help: "follow it until it has ended, as watch does")

    COMMANDS = [
      [ "run", %w[ FILE.yml ], :launch, "launch a test run",
        [ option.(:sets, "--set KEY=VALUE", many: true,
          help: "replace a value of the definition, such as clients.0.settings.rate=200/s"), wait ] ],
      [ "list", [], :list, "the latest test runs" ],
      [ "show", %w[ ID ], :show, "one test run: state, phases, figures, thresholds" ],
      [ "watch", %w[ ID ], :watch,
        "follow it until it has ended; outlives a server or a worker that is away for a while" ],
      [ "cancel", %w[ ID ], :cancel, "stop it; logs so far are collected" ],
      [ "again", %w[ ID ], :again, "launch it again under its name",
        [ option.(:commit, "--commit WHICH",
          help: "measured: the commit that was measured; head, where it is not given: what its revision is now"),
          wait ] ],
      [ "command", %w[ ID TARGET LINE… ], :command, "send a line to all, brokers, clients or jvm:broker_0" ],
      [ "logs", %w[ ID ], :logs, "download its logs",
        [ option.(:out, "-o", "--out ZIP", help: "the file; test_run_ID.zip where it is not given") ] ],
      [ "lines", %w[ ID ], :lines, "what its JVMs have logged, by time; while it runs, the latest lines",
        [ option.(:q, "--words WORDS", help: "only records that have them"),
          option.(:level, "--level LEVELS", help: "such as WARNING,SEVERE"),
          option.(:jvm, "--jvm NAMES", help: "such as broker_0,client_1"),
          option.(:from, "--from TIME", help: "since the start of the load, such as 90 or 1:30"),
          option.(:to, "--to TIME", help: "the same") ] ],
      [ "console", %w[ ID PART ], :console, "what is in its database: queues, messages, clients or brokers" ],
      [ "analyze", %w[ ID ], :analyze, "make a plot of its logs and download its files",
        [ option.(:kind, "--kind KIND", help: "such as response_time or throughput"),
          option.(:action_prefix, "--type PREFIX", help: "of the actions in the logs, such as CSndReq#OK#"),
          option.(:from, "--from TIME", help: "begin of the part to look at, such as 1:30"),
          option.(:to, "--to TIME", help: "its end"),
          option.(:split, "--split KEY", help: "machine, jvm, role, status (outcome) or tier; by action without it"),
          option.(:window, "--window TIME", help: "such as 1s"),
          option.(:percentiles, "--percentiles LIST", help: "such as 2.5,50,97.5"),
          option.(:out, "-o", "--out DIR", help: "the folder; this one where it is not given") ] ],
      [ "profile", %w[ ID ], :profile, "say where the processor time of its JVMs goes, by what they recorded",
        [ option.(:part, "--of NAME", help: "such as broker_0, broker or \"broker worker\""),
          option.(:what, "--what WHAT", help: "cpu, alloc or lock"),
          option.(:by, "--by KIND", help: "method, class or package") ] ],
      [ "compare", %w[ ID… ], :compare,
        "set runs beside the first of them; IDs with commas between are repetitions of one (1,2,3 4,5,6)",
        [ option.(:limits, "--fail-if LIMIT", many: true,
          help: "such as \"p99 > +10 %\" (a change) or \"errors > 1 %\" (a figure): exit code 3 where it is broken"),
          option.(:junit, "--junit FILE", help: "write the limits there as JUnit's XML"),
          option.(:out, "-o", "--out HTML", help: "write the report there, a page in one file") ] ],
      [ "predict", %w[ ID ], :predict, "ask the model of a run what other clients, brokers or workers would do",
        [ option.(:clients, "--clients N", help: "as many as the run had where neither they nor a rate are given"),
          option.(:rate, "--rate RATE", help: "such as 2000/s: clients that wait for no answer"),
          option.(:brokers, "--brokers N", help: "in all"),
          option.(:workers, "--workers N", help: "of each broker"),
          option.(:connections, "--connections N", help: "of each broker to the database"),
          option.(:database_faster, "--database-faster F", help: "how many times as fast; cannot be launched"),
          option.(:csv, "--csv FILE", help: "write its curve there, with intervals"),
          option.(:launch, "--launch", help: "launch the run that checks it"),
          option.(:wait, "--wait", help: "follow that run: exit code 3 where it is outside the interval") ] ],
      [ "experiment", %w[ FILE.yml ], :experiment, "launch an experiment: a family of runs over levels of factors",
        [ option.(:sets, "--set KEY=VALUE", many: true,
          help: "replace a value of the definition, such as scale=0.1 or experiment.repetitions=5"),
          option.(:plan, "--plan", help: "tell the table of runs, its time and cost, and launch nothing"), wait ] ],
      [ "experiments", [], :experiments, "the latest experiments" ],
      [ "results", %w[ ID ], :results, "points of an experiment with their intervals, and effects",
        [ option.(:sort, "--sort FIGURE", help: "such as p99; the largest first with a - before it"),
          option.(:csv, "--csv FILE", help: "write the table of its runs there"),
          option.(:out, "-o", "--out HTML", help: "write the report there, a page in one file") ] ],
      [ "steer", %w[ ID ACTION… ], :steer,
        "an experiment: pause, resume, cancel, repeat N, levels FACTOR VALUES, skip, unskip or rerun POINT" ],
      [ "export", %w[ ID ], :export, "its definition as YAML",
        [ option.(:experiment, "--experiment", help: "of an experiment, not of a run") ] ],
      [ "machines", [], :machines, "machines held now",
        [ option.(:sweep, "--sweep", help: "release what is left over") ] ]
    ].to_h do |name, arguments, action, help, options|
      [ name, Command.new(name: name, arguments: arguments, action: action, help: help, options: [ *options, json ]) ]
    end

    EPILOGUE = <<~TEXT

      bin/testmaster help COMMAND tells its options.
      exit codes: 0 done, or the run is accepted; 1 the run or the request failed, or the run was cancelled;
      2 wrong usage; 3 a threshold is broken, or a limit of compare, or a check is outside its prediction;
      4 the run is not accepted: a check speaks against it;
      5 it cannot be told, as the logs could not be examined
      TESTMASTER_URL and TESTMASTER_TOKEN set the server's URL and the API token; on the Testmaster's own machine neither is needed.
    TEXT
    ENDED = %w[ finished failed cancelled ]
    EXIT_CODES = { "accepted" => 0, "failed" => 1, "cancelled" => 1, "threshold_broken" => 3, "not_accepted" => 4,
      "unknown" => 5, "examining" => 5 }
    PATIENCE = 120 # seconds
    STORAGE = File.expand_path("../../storage", __dir__)

    # Said with the usage, exit code 2.
    class UsageError < StandardError; end

    # patience: seconds until a server that is away, or a worker that does not begin, is given up
    def initialize(arguments, environment: ENV, output: $stdout, errors: $stderr, storage: STORAGE, patience: PATIENCE)
      @arguments, @environment, @output, @errors, @storage = arguments.dup, environment, output, errors, storage
      @options, @patience = {}, patience
    end

    # The exit code
    def run
      return help(*@arguments.drop(1)) if @arguments.first == "help"

      @command = take_command or return help
      @options = @command.parse!(@arguments)
      return help(@command.name) if @options[:help]

      complaint = @command.complaint(@arguments) and raise UsageError, complaint
      send @command.action, *@arguments
    rescue UsageError, OptionParser::ParseError, Overrides::Error => error
      refuse error.message
    rescue Api::Error => error
      @errors.puts error.message.lines.map { |line| "bin/testmaster: #{line}" }
      1
    rescue Interrupt
      130
    end

    def help(name = nil, *)
      command = COMMANDS.fetch(name) { raise UsageError, "there is no command #{name}" } if name
      say command ? command.manual : [ "usage: bin/testmaster COMMAND", "", *COMMANDS.each_value.map(&:line), EPILOGUE ]
      0
    end

    def launch(file)
      definition = Overrides.new(@options[:sets]).apply_to(read(file))
      test_run = api.post("/test_runs.json", definition: definition, launch: true)

      if @options[:wait]
        watch test_run["id"]
      else
        show_json(test_run) || say("#{test_run["id"]} launched")
        0
      end
    end

    def again(id)
      which = @options.fetch(:commit, "head")
      raise UsageError, "--commit is measured or head" unless %w[ measured head ].include?(which)

      commits = api.get("/test_runs/#{number id}/duplicate/new.json")
      test_run = api.post("/test_runs/#{id}/duplicate.json", commit: which, launch: true)
      if @options[:wait]
        watch test_run["id"]
      else
        what = which == "head" ? commits["revision"] : "commit"
        show_json(test_run) ||
          say("#{test_run["id"]} launched, with #{what} #{(commits[which] || "unknown").slice(0, 12)}")
        0
      end
    end

    def list
      test_runs = api.get("/test_runs.json")
      show_json(test_runs) || Report.list(test_runs).each { |line| say line }
      0
    end

    def show(id)
      test_run = find(id)
      show_json(test_run) || Report.new(test_run).lines.each { |line| say line }
      0
    end

    def watch(id)
      outcome = outcome_of(follow(id))
      show id
      outcome
    end

    def cancel(id)
      test_run = api.post("/test_runs/#{number id}/cancellation.json")
      outcome = test_run["cancelling"] ? "is being cancelled" : "had ended already: #{test_run["state"]}"
      show_json(test_run) || say("#{id} #{outcome}")
      0
    end

    def command(id, target, *words)
      sent = api.post("/test_runs/#{number id}/commands.json", command: { target: target, line: words.join(" ") })
      sent = until_answered(sent) { api.get("/test_runs/#{id}/commands/#{sent["id"]}.json") }
      show_json(sent) || sent["replies"].each do |reply|
        say [ reply["jvm"], reply["state"].upcase, reply["text"] ].compact.join("  ")
      end
      sent["replies"].all? { |reply| reply["state"] == "ok" } ? 0 : 1
    end

    def logs(id)
      file = @options[:out] || "test_run_#{number id}.zip"
      api.download "/test_runs/#{number id}/archive", file
      show_json(file: file) || say(file)
      0
    end

    def lines(id)
      wanted = @options.slice(:q, :level, :jvm, :from, :to)
      found = api.get("/test_runs/#{number id}/logs.json?#{URI.encode_www_form(wanted)}")
      return 0 if show_json(found)

      Report.lines(found).each { |line| say line }
      found["trouble"].each { |words| @errors.puts "bin/testmaster: #{words}" }
      found["trouble"].empty? ? 0 : 1
    end

    def analyze(id)
      raise UsageError, "analyze needs --kind, such as response_time or throughput" unless @options[:kind]

      wanted = @options.slice(:kind, :action_prefix, :from, :to, :split, :window, :percentiles)
      analysis = api.post("/test_runs/#{number id}/analyses.json", analysis: wanted)
      analysis = until_made(analysis) { api.get("/test_runs/#{id}/analyses/#{analysis["id"]}.json") }
      raise Api::Error, analysis["error"] if analysis["state"] == "failed"

      files = download_all(analysis["files"])
      show_json(analysis.merge("files" => files)) || files.each { |file| say file }
      0
    end

    # Made by the server, which keeps it under an address of its own.
    def profile(id)
      path = "/test_runs/#{number id}/profile.json"
      made = profile_of(path)
      raise Api::Error, made["error"] || "The profile was cancelled" unless made["state"] == "completed"

      chosen = @options.slice(:part, :what, :by)
      found = api.get("#{path}?#{URI.encode_www_form(chosen)}")
      show_json(found) || Report.profile(found, @options.fetch(:by, "method")).each { |line| say line }
      0
    end

    def compare(*sides)
      raise UsageError, "compare needs two runs at least" if sides.size < 2
      raise UsageError, "--junit needs --fail-if" if @options[:junit] && @options[:limits].empty?

      wanted = sides.map { |side| side.split(",").map { |id| number id } }
      comparison = api.post("/comparisons.json", comparison: { sides: wanted, limits: @options[:limits] })
      comparison = until_made(comparison, "comparison") { api.get("/comparisons/#{comparison["id"]}.json") }
      raise Api::Error, comparison["error"] || "The comparison was cancelled" unless comparison["state"] == "completed"

      { junit: "xml", out: "report" }.each do |option, format|
        api.download "/comparisons/#{comparison["id"]}.#{format}", @options[option] if @options[option]
      end
      show_json(comparison) || say([ *Comparison.new(comparison).lines,
        "  page: #{api.address "/comparisons/#{comparison["id"]}"}" ])
      comparison["limits"].any? { |limit| limit["broken"] } ? 3 : 0
    end

    ASKED = %i[ clients rate brokers workers connections database_faster ]

    def predict(id)
      raise UsageError, "--wait follows the check: it needs --launch" if @options[:wait] && !@options[:launch]

      path = "/test_runs/#{number id}/predictions"
      made = api.post("#{path}.json", prediction: @options.slice(*ASKED))
      path = "#{path}/#{made["id"]}"
      made = until_made(made, "prediction") { api.get("#{path}.json") }
      raise Api::Error, made["error"] || "The prediction was cancelled" unless made["state"] == "completed"

      api.download "#{path}.csv", @options[:csv] if @options[:csv]
      made = api.post("#{path}/check.json", {}) if @options[:launch]
      return check(path, made) if @options[:wait]

      show_json(made) || Prediction.new(made).lines.each { |line| say line }
      0
    end

    def experiment(file)
      definition = Overrides.new(@options[:sets]).apply_to(read(file))
      return plan(definition) if @options[:plan]

      experiment = api.post("/experiments.json", definition: definition, launch: true)
      return watch_experiment(experiment["id"]) if @options[:wait]

      show_json(experiment) || say("#{experiment["id"]} launched, #{experiment["runs_planned"]} runs")
      0
    end

    def experiments
      found = api.get("/experiments.json")
      show_json(found) || Experiment.list(found).each { |line| say line }
      0
    end

    def results(id)
      experiment = api.get("/experiments/#{number id, of: EXPERIMENT}.json")
      { csv: "csv", out: "report" }.each do |option, format|
        api.download "/experiments/#{id}.#{format}", @options[option] if @options[option]
      end
      show_json(experiment) || Experiment.new(experiment).lines(sort: @options[:sort]).each { |line| say line }
      0
    end

    EXPERIMENT = "an experiment"
    STEERING = { "pause" => [ :post, "pause" ], "resume" => [ :delete, "pause" ], "cancel" => [ :post, "cancellation" ],
      "repeat" => [ :post, "repetitions" ], "levels" => [ :post, "levels" ], "skip" => [ :post, "points/%s/skip" ],
      "unskip" => [ :delete, "points/%s/skip" ], "rerun" => [ :post, "points/%s/rerun" ] }

    def steer(id, action, *words)
      verb, path = STEERING.fetch(action) { raise UsageError, "steer knows #{STEERING.keys.join(", ")}" }
      raise UsageError, "#{action} needs a number" if path.include?("%s") && !words.first.to_s.match?(/\A\d+\z/)

      body = { "repeat" => { more: words.first }, "levels" => { factor: words.first, levels: words.drop(1).join(",") } }
      experiment = api.public_send(verb, "/experiments/#{number id, of: EXPERIMENT}/#{format path, words.first}.json",
        *([ body.fetch(action, {}) ] if verb == :post))
      show_json(experiment) || say(Experiment.new(experiment).progress)
      0
    end

    def export(id)
      kind = @options[:experiment] ? "experiments" : "test_runs"
      definition = api.get("/#{kind}/#{number id}/definition.json")
      show_json(definition) || say(definition.to_yaml(line_width: -1))
      0
    end

    def console(id, part)
      unless Report::CONSOLE.key?(part)
        raise UsageError, "#{part} is not a part of a console, which are #{Report::CONSOLE.keys.join(", ")}"
      end

      found = api.get("/test_runs/#{number id}/console/#{part}.json")
      show_json(found) || Report.console(part, found).each { |line| say line }
      found["gaps"].empty? ? 0 : 1
    end

    def machines
      return sweep if @options[:sweep]

      found = api.get("/machines.json")
      show_json(found) || Report.machines(found).each { |line| say line }
      0
    end

    private
      # The first word that is a command, as options may come before it. nil where help is all that is asked for.
      def take_command
        return if (@arguments & %w[ -h --help ]).any? && (@arguments & COMMANDS.keys).empty?

        position = @arguments.index { |word| COMMANDS.key?(word) } || @arguments.index { |word| !word.start_with?("-") }
        raise UsageError, "a command is needed" unless position

        name = @arguments.delete_at(position)
        COMMANDS.fetch(name) { raise UsageError, "there is no command #{name}" }
      end

      # The run, once it has ended and is examined
      def follow(id)
        seen = idle_since = nil
        loop do
          test_run = seen ? patiently { find(id) } : find(id)
          refuse_draft test_run

          ended = ENDED.include?(test_run["state"]) && (test_run["examined"] || !test_run["archive"])
          line = Report.new(test_run).progress
          say line unless @options[:json] || line == seen
          seen = line

          break test_run if ended

          idle_since = test_run["worker"] == false ? idle_since || now : nil
          if idle_since && now - idle_since > @patience
            raise Api::Error,
              "No worker has run for #{@patience} s, so nobody is at work on #{id}: bin/worker starts one"
          end
          sleep 1
        end
      end

      def check(path, made)
        outcome = outcome_of(follow(made["check"]["run"]))
        made = api.get("#{path}.json")
        show_json(made) || Prediction.new(made).lines.each { |line| say line }
        Prediction.new(made).exit_code outcome
      end

      def plan(definition)
        plan = api.post("/experiments/estimate.json", definition: definition)
        show_json(plan) || Experiment.plan(plan).each { |line| say line }
        plan["objections"].empty? ? 0 : 1
      end

      def watch_experiment(id)
        seen = idle_since = nil
        loop do
          experiment = patiently { api.get("/experiments/#{id}.json") }
          report = Experiment.new(experiment)
          report.news(seen).each { |line| say line } unless @options[:json]
          seen = experiment
          break results(id) && report.exit_code if report.over?

          idle_since = experiment["worker"] == false ? idle_since || now : nil
          if idle_since && now - idle_since > @patience
            raise Api::Error,
              "No worker has run for #{@patience} s, so nobody is at work on #{id}: bin/worker starts one"
          end
          sleep 2
        end
      end

      def refuse_draft(test_run)
        if test_run["state"] == "draft"
          raise Api::Error, "#{test_run["id"]} is a draft, which nobody is at work on: launch it first"
        end
      end

      def until_answered(sent)
        deadline = now + @patience
        while (silent = sent["replies"].select { |reply| reply["state"] == "pending" }).any?
          if now > deadline
            names = silent.map { |reply| reply["jvm"] }.join(", ")
            raise Api::Error, "#{names} said nothing within #{@patience} s: does a worker run? bin/worker starts one"
          end
          sleep 0.3
          sent = yield
        end
        sent
      end

      # Once it is begun it takes as long as its logs are large; the Testmaster ends one that takes too long.
      # Made where it is not there yet
      def profile_of(path)
        there = begin
          api.get(path)
        rescue Api::Error
          api.post(path, {})
        end
        there = api.post(path, {}) if %w[ failed cancelled ].include?(there["state"])
        until_made(there, "profile") { api.get(path) }
      end

      def until_made(made, what = "analysis")
        deadline = now + @patience
        while %w[ pending processing ].include?(made["state"])
          if made["state"] == "pending" && now > deadline
            raise Api::Error,
              "The #{what} was not begun within #{@patience} s: does a worker run? bin/worker starts one"
          end
          sleep 0.3
          made = yield
        end
        made
      end

      # The run goes on where the way to its Testmaster is broken for a while.
      def patiently
        deadline = nil
        begin
          yield
        rescue Api::Unreachable => error
          @errors.puts "bin/testmaster: #{error.message}. Asking again for #{@patience} s" unless deadline
          deadline ||= now + @patience
          raise if now > deadline
          sleep 1
          retry
        end
      end

      def now
        Process.clock_gettime(Process::CLOCK_MONOTONIC)
      end

      # A provider that could not be asked may hold what costs money.
      def sweep
        swept = api.post("/machines/sweep.json")
        show_json(swept) || Report.sweep(swept).each { |line| say line }
        swept["complaints"].empty? ? 0 : 1
      end

      def refuse(message)
        help = [ "bin/testmaster help", @command&.name ].compact.join(" ")
        usage = "usage: bin/testmaster #{@command&.usage || "COMMAND"}"
        @errors.puts "bin/testmaster: #{message}", "#{usage}   (#{help} says more)"
        2
      end

      def api
        @api ||= Api.from(@environment, storage: @storage)
      end

      def find(id)
        api.get "/test_runs/#{number id}.json"
      end

      def number(id, of: "a test run")
        id.to_s.match?(/\A\d+\z/) ? id : raise(UsageError, "#{id} is not the number of #{of}")
      end

      def read(file)
        definition = YAML.safe_load(File.read(file))
        definition.is_a?(Hash) ? definition : raise(UsageError, "#{file} is not the definition of a test run")
      rescue SystemCallError => error
        raise UsageError, "#{file} cannot be read: #{error.message.sub(/ @ .*/, "")}"
      rescue Psych::Exception => error
        raise UsageError, "#{file} is not YAML: #{error.message}"
      end

      def outcome_of(test_run)
        EXIT_CODES.fetch(test_run["verdict"]["name"])
      end

      def download_all(files)
        folder = @options[:out] || "."
        Dir.mkdir folder unless Dir.exist?(folder)
        files.map { |name, path| api.download(path, File.join(folder, File.basename(name))) }
      end

      def show_json(object)
        say(JSON.pretty_generate(object)) || true if @options[:json]
      end

      def say(text)
        @output.puts text
      end
  end
end
