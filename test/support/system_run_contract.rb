require "test_helpers/run_traces_helper"

# The behaviour of a run of any system under test, during and after its load. The server of a system with a driver is
# killed and started again; then a command shuts the clients down.
module SystemRunContract
  include RunTracesHelper

  ENOUGH = 200 # requests

  private
    def steer(run)
      answers = commands_of(run.system).to_h do |line, target|
        await(within: 120) { counted_in(folder_of(run).join("broker_0/logs/counters.csv").read) } if line == "kill"
        await(within: 120) { run.samples.maximum("(figures->>'ok')::int").to_i > ENOUGH } if line == "shutdown"
        [ line, answers_to(run, line, target) ]
      end
      assert_equal commands_of(run.system).to_h { |line, target| [ line, target == "all" ? %w[ ok ok ] : %w[ ok ] ] },
        answers
    end

    # @return [ command line, target ] in order
    def commands_of(system)
      kill = system.default? ? [] : [ [ "kill", "brokers" ], [ "start", "brokers" ] ]
      [ [ "status", "all" ], *kill, [ "shutdown", "clients" ] ]
    end

    def answers_to(run, line, target)
      command = Command.create!(test_run: run, line: line, target: target)
      command.deliver
      command.replies.reload.map(&:state)
    end

    def measuring?(run)
      folder_of(run).join("client_0/logs/stdout.log").then { |out| out.exist? && out.read.include?('"measuring"') }
    end

    def assert_kept(run)
      assert_predicate run, :finished?, run.error
      assert_equal %w[ exited ], run.jvms.map(&:state).uniq, "JVMs had to be killed"
      assert_operator run.latest_sample.figures["brokers"].slice(*run.system.broker_figures).size, :>, 1
      assert_nil run.figures["not_examined"]
      assert_operator run.figures.dig("exact", "count"), :>, 50
      assert_operator run.figures.dig("exact", "count"), :<=, run.figures["ok"]
      files = contents_of(run.archive)
      assert_files files, run
      assert_files_of_server files, run.system unless run.system.default?
      assert_nothing_left_of run
    end

    def assert_files(files, run)
      logs = run.jvms.map { |jvm| "logs/local/#{jvm.name}/#{File.basename(run.system.log_of(jvm))}" }
      kept = %w[ broker client ].flat_map do |role|
        kept_files_of(run.system, role).map { |name| "logs/local/#{role}_0/#{name}" }
      end
      assert_empty logs + kept - files.keys
      run.system.counters.each_key { |name| assert_operator files.fetch(name).lines.size, :>=, 2, name }
      assert_equal run.jvms.count(&:client?), files.keys.count { |name| run.system.summary?("/#{name}") }
      assert_equal run.system.in_database?, files.key?("database.csv")
      assert_match(/\A\w+,/, files["database.csv"]) if run.system.in_database?
      assert_no_match run.system_password, files.values.join, "a password is in the zip"
    end

    def assert_files_of_server(files, system)
      assert_match(/"version":"#{system.label} \d+/, files.fetch("logs/local/broker_0/stdout.log"))
      assert_operator files.fetch("logs/local/broker_0/settings.txt").lines.size, :>, 5
      assert counted_in(files.fetch("logs/local/broker_0/counters.csv"))
      assert_equal system.label, JSON.parse(files.fetch("environment.json")).fetch("system")
    end

    def kept_files_of(system, role)
      return System.default.kept_files if role == "client"

      system.default? ? system.kept_files : system.files_of_server({}).keys
    end

    # The load of clients shows in each of these counters.
    def counted_in(text)
      rows = CSV.parse(text, headers: true)
      %w[ cpu memory received delivered connections ].all? { |name| rows.any? { |row| row[name].to_f.positive? } }
    end
end
