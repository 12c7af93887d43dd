# What every system under test has to keep, tried by a run of it. A test of a system includes this and has a method
# system that returns it.
module SystemContract
  extend ActiveSupport::Concern
  include RunsHelper

  ANSWERS = %i[ label description program packages sources build_arguments products lacking in_database? jvm?
    program_of mapping_of template_of settings_of complaint_about secret making_tables messages_left counters questions
    changes state_of broker_figures words_of_queue requests actions summary? kept_files log_of logs_of tiers times
    plots commands command? understands? ask start_load shut_down jar_gone? advice_on ]

  included do
    test "it is found by its name, as a broker group and its run have it, and answers all that a system has to" do
      run = build_run(brokers: [ { scenario: "Broker", system: system.name } ])

      assert_includes System.all, system
      assert_equal [ system, system, system ], [ System[system.name], run.system, run.broker_groups.first.system ]
      assert_empty ANSWERS.reject { |name| system.respond_to?(name) }
    end

    test "a run of it is launched, commanded, counted, stopped and examined" do
      run = build_run(duration: duration, warmup: 0, brokers: [ { scenario: "Broker", system: system.name } ])
      answers = {}
      while_running run do
        commands.each { |line, target| answers[line] = answers_to(run, line, target) }
      end

      assert_predicate run, :finished?, run.error
      assert_equal commands.to_h { |line, target| [ line, target == "all" ? %w[ ok ok ] : %w[ ok ] ] }, answers
      assert_equal %w[ exited ], run.jvms.map(&:state).uniq, "some had to be killed"
      assert_operator run.latest_sample.figures["brokers"].slice(*system.broker_figures).size, :>, 1
      assert_files contents_of(run.archive), run
      run.examine
      assert_nil run.figures["not_examined"]
      assert_operator run.figures.dig("exact", "count"), :>, 50
      assert_operator run.figures.dig("exact", "count"), :<=, run.figures["ok"]
      assert_nothing_left_of run
    end
  end

  private
    def duration
      "2s"
    end

    # [ line, to whom ], in their order, while the load goes on
    def commands
      [ [ "status", "all" ] ]
    end

    def answers_to(run, line, target)
      command = Command.create!(test_run: TestRun.find(run.id), line: line, target: target)
      command.deliver
      command.replies.reload.map(&:state)
    end

    def assert_files(files, run)
      jvms = run.jvms.to_a
      logs = jvms.map { |jvm| "logs/local/#{jvm.name}/#{File.basename(system.log_of(jvm))}" }
      kept = %w[ broker client ].flat_map { |role| kept_files_of(role).map { |name| "logs/local/#{role}_0/#{name}" } }
      assert_empty logs + kept - files.keys
      system.counters.each_key { |name| assert_operator files.fetch(name).lines.size, :>=, 2, "#{name} has no line" }
      assert_equal jvms.count(&:client?), files.keys.count { |name| system.summary?("/#{name}") }
      assert_equal system.in_database?, files.key?("database.csv")
      assert_match(/\A\w+,/, files["database.csv"]) if system.in_database?
      assert_no_match run.system_password, files.values.join, "a password is in the zip"
    end

    def kept_files_of(role)
      system.kept_files
    end
end
