require "yaml"
require_relative "api"
require_relative "commands"
require_relative "comparison"
require_relative "experiment"
require_relative "machines"
require_relative "overrides"
require_relative "prediction"
require_relative "report"
require_relative "waiting"

module Testmaster
  # Implements bin/testmaster, which offers the functions of the pages in a shell.
  class CommandLine
    include Machines, Waiting

    EPILOGUE = <<~TEXT

      bin/testmaster help COMMAND lists its options.
      exit codes: 0 done, or the run is accepted; 1 the run or the request failed, or the run was cancelled;
      2 wrong usage; 3 a threshold is broken, or a limit of compare, or a check is outside its prediction;
      4 a check rejects the run; 5 the verdict is unknown, as the logs could not be examined
      TESTMASTER_URL and TESTMASTER_TOKEN set the server's URL and the API token;
      on the Testmaster's own machine neither is needed.
    TEXT
    EXIT_CODES = { "accepted" => 0, "failed" => 1, "cancelled" => 1, "threshold_broken" => 3, "not_accepted" => 4,
      "unknown" => 5, "examining" => 5 }
    PATIENCE = 120 # seconds
    SECRETS = File.expand_path("../../secrets", __dir__)

    # The message is printed with the usage; the exit code is 2.
    class UsageError < StandardError; end

    # patience is the time limit in seconds for an unavailable server, or a worker that does not start.
    def initialize(arguments, environment: ENV, output: $stdout, errors: $stderr, secrets: SECRETS, patience: PATIENCE)
      @arguments, @environment, @output, @errors, @secrets = arguments.dup, environment, output, errors, secrets
      @options, @patience = {}, patience
    end

    # Returns the exit code.
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
      command = Command::ALL.fetch(name) { raise UsageError, "there is no command #{name}" } if name
      say command ? command.manual :
        [ "usage: bin/testmaster COMMAND", "", *Command::ALL.each_value.map(&:line), EPILOGUE ]
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
      raise Api::Error, analysis["error"] || "The analysis was cancelled" unless analysis["state"] == "completed"

      files = download_all(analysis["files"])
      show_json(analysis.merge("files" => files)) || files.each { |file| say file }
      0
    end

    # The server creates the profile and stores it at an address of its own.
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
      raise UsageError, "compare needs at least two runs" if sides.size < 2
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

    private
      # Returns the first word that is a command, as options may precede it; nil if only help is requested.
      def take_command
        return if (@arguments & %w[ -h --help ]).any? && (@arguments & Command::ALL.keys).empty?

        position = @arguments.index { |word| Command::ALL.key?(word) } ||
          @arguments.index { |word| !word.start_with?("-") }
        raise UsageError, "a command is needed" unless position

        name = @arguments.delete_at(position)
        Command::ALL.fetch(name) { raise UsageError, "there is no command #{name}" }
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
        report = Experiment.new(follow_experiment(id))
        results id
        report.exit_code
      end

      # The profile is created if it does not exist.
      def profile_of(path)
        there = begin
          api.get(path)
        rescue Api::Error
          api.post(path, {})
        end
        there = api.post(path, {}) if %w[ failed cancelled ].include?(there["state"])
        until_made(there, "profile") { api.get(path) }
      end

      def refuse(message)
        help = [ "bin/testmaster help", @command&.name ].compact.join(" ")
        usage = "usage: bin/testmaster #{@command&.usage || "COMMAND"}"
        @errors.puts "bin/testmaster: #{message}", "#{usage}   (#{help} says more)"
        2
      end

      def api
        @api ||= Api.from(@environment, secrets: @secrets)
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
