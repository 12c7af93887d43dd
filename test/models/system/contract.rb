# What every system under test has to keep, tried by a run of it. A test of a system includes this and has a method
# system that returns it.
module SystemContract
  extend ActiveSupport::Concern
  include RunsHelper

  ANSWERS = %i[ sources build_arguments product jar lacking program_of mapping_of template_of reserved_settings secret
    making_tables messages_left counters questions changes state_of broker_figures requests actions summary?
    kept_files log_of logs_of tiers times commands command? ask start_load shut_down jar_gone? advice_on ]

  included do
    test "it is found by its name, as a broker group and its run have it, and answers all that a system has to" do
      run = build_run(brokers: [ { scenario: "Broker", system: system.name } ])

      assert_includes System.all, system
      assert_equal [ system, system, system ], [ System[system.name], run.system, run.broker_groups.first.system ]
      assert_empty ANSWERS.reject { |name| system.respond_to?(name) }
    end

    test "a run of it is launched, commanded, counted, stopped and examined" do
      brokers = [ { **RunsHelper::DEFINITION["brokers"].first, system: system.name } ]
      run = build_run(duration: "2s", warmup: 0, brokers: brokers)
      answers = nil
      while_running run do
        command = Command.create!(test_run: TestRun.find(run.id), line: "status", target: "all")
        command.deliver
        answers = command.replies.reload.map(&:state)
      end

      assert_predicate run, :finished?, run.error
      assert_equal %w[ ok ok ], answers
      assert_equal %w[ exited ], run.jvms.map(&:state).uniq, "some had to be killed"
      assert_operator run.latest_sample.figures["brokers"].slice(*system.broker_figures).size, :>, 1
      assert_files contents_of(run.archive), run
      run.examine
      assert_operator run.figures.dig("exact", "count"), :>, 50
      assert_operator run.figures.dig("exact", "count"), :<=, run.figures["ok"]
      assert_nothing_left_of run
    end
  end

  private
    def assert_files(files, run)
      jvms = run.jvms.to_a
      logs = jvms.map { |jvm| "logs/local/#{jvm.name}/#{File.basename(system.log_of(jvm))}" }
      assert_empty logs + system.kept_files.map { |name| "logs/local/client_0/#{name}" } - files.keys
      system.counters.each_key { |name| assert_operator files.fetch(name).lines.size, :>=, 2, "#{name} has no line" }
      assert_equal jvms.count(&:client?), files.keys.count { |name| system.summary?("/#{name}") }
      assert_match(/\A\w+,/, files.fetch("database.csv"))
      assert_no_match run.run_database.password, files.values.join, "a password is in the zip"
    end
end
