require "test_helper"

class Experiment::WholePathTest < ActiveSupport::TestCase
  include RunsHelper

  JOBS = [ Experiment::AdvanceJob, TestRun::AdvanceJob, TestRun::ExamineJob ]

  # Jobs run one at a time here, so no run is analysed while the next one waits for that.
  setup { TestRun::Phase::Running.quiet_within = 0 }
  teardown { TestRun::Phase::Running.quiet_within = 60 }

  test "repeats a rejected run and shares one build" do
    experiment = launch "repetitions" => 1, "again" => 1
    perform_all_jobs { |run| run.point.number == 2 && run.attempt == 1 ? "rejected" : "good" }

    assert_predicate experiment.reload, :finished?, experiment.error
    assert_equal [ [ 1, 1, 1, "accepted" ], [ 2, 1, 1, "rejected" ], [ 2, 1, 2, "accepted" ] ],
      experiment.test_runs.map { |run| [ run.point.number, run.repetition, run.attempt, part_of(run) ] }.sort,
      experiment.test_runs.filter_map { |run| run.outcome.reason_of_failure }.to_sentence
    assert_equal [ experiment.build_id ], experiment.test_runs.map(&:build_id).uniq
    one = experiment.test_runs.find { |run| run.point.number == 2 }
    part = JSON.parse(contents_of(one.archive)["experiment.json"])
    assert_equal [ experiment.id, 2, { "workers" => 2 } ], part.values_at("id", "point", "levels")
    assert_equal [ "workers" ], part["factors"].pluck("name")

    header, *rows = CSV.parse(experiment.to_csv)
    assert_equal "run,point,repetition,state,reason,workers,throughput [1/s]", header.first(7).join(",")
    assert_equal %w[ accepted accepted rejected ], rows.pluck(3).sort
    assert_match "made up by the test", rows.find { |row| row[3] == "rejected" }[4]
    first = experiment.test_runs.find { |run| run.point.number == 1 }
    assert_predicate first.figures["exact"]["throughput"], :positive?
    assert_equal first.figures["exact"]["throughput"], experiment.points.first.figure("throughput").mean
    assert_nothing_left_of one

    experiment.repeat 1
    assert_predicate experiment.reload, :running?
    experiment.points.second.skip
    perform_all_jobs
    assert_equal [ 2, 1 ], experiment.reload.points.map { |point| point.figure("mean").n }
    assert_equal "skipped", CSV.parse(experiment.to_csv).last[3]
  end

  test "can be paused, resumed and cancelled with its run" do
    experiment = launch "repetitions" => 1
    experiment.pause
    perform_all_jobs
    assert_empty experiment.reload.test_runs

    experiment.resume
    perform_enqueued_jobs only: Experiment::AdvanceJob
    run = experiment.reload.test_runs.sole
    experiment.cancel
    perform_all_jobs
    assert_predicate run.reload, :cancelled?
    assert_predicate experiment.reload, :cancelled?
    assert_nothing_left_of run
    assert experiment.destroy
    assert_nil run.reload.experiment_id
  end

  test "repeats a lost step, and does no step twice" do
    experiment = launch "repetitions" => 1
    clear_enqueued_jobs # as if Redis had lost the job
    TestRun.resume_abandoned
    2.times { experiment.advance_later }
    perform_enqueued_jobs only: Experiment::AdvanceJob
    assert_equal 1, experiment.reload.test_runs.count
    experiment.cancel
    perform_all_jobs
  end

  test "the logs confirm the tries of a search" do
    measured = []
    as_planned = Module.new do # independent of the load of this machine
      define_method(:judge) do |figures, conditions, state:|
        measured << [ state, figures["throughput"] ]
        super(figures.merge("throughput" => level.to_f), conditions, state: state)
      end
    end
    Experiment::Try.prepend as_planned
    most = silence_warnings { Experiment::Stepped::MOST.tap { Experiment::Stepped.const_set :MOST, 30 } }
    find = { "rate" => "40/s..160/s", "within" => "50 %", "until" => [ "errors = 0", "throughput < 100 /s" ] }
    experiment = Experiment.from_definition(DEFINITION.merge("duration" => "3s", "warmup" => "1s", "cooldown" => "0s",
      "clients" => [ { "scenario" => "OneWayClient", "clients" => 4, "settings" => { "rate" => "1/s" } } ],
      "experiment" => { "find" => find, "repetitions" => 1 }))
    experiment.creator = users(:experimenter)
    assert experiment.launch, experiment.errors.full_messages.to_sentence
    perform_all_jobs

    assert_predicate experiment.reload, :finished?, experiment.error
    run = experiment.test_runs.sole
    assert_predicate run, :finished?, run.error
    assert_equal [ 40, 80, 160, 113 ], experiment.tries_in_order.map(&:level)
    broken = [ "throughput < 100 /s" ]
    assert_equal [ [], [], broken, broken ], experiment.tries_in_order.map(&:broken)
    judged, examined = measured.partition { |state, _| state == "judged" }.map { |some| some.map(&:last) }
    files = contents_of(run.archive)
    tries = JSON.parse(files["experiment.json"])["tries"]
    assert_equal tries.map { |it| started_within(it["from_ms"]...it["to_ms"], files) }, examined
    # Live figures cover slightly different seconds: either end may differ by up to two seconds.
    assert_equal 4, judged.size
    judged.zip(examined) { |told, logged| assert_in_delta logged, told, logged / 2 }
    assert_equal [ 80.0, 113.0, true ], experiment.search.answer.values_at("holds", "breaks", "confirmed")
    assert_match "80/s holds, 113/s does not", run.events.find_by!(name: "searched").message
    assert_equal [ 1, 2, 3, 4 ], tries.pluck("point")
    assert_operator tries.first["to_ms"] - tries.first["from_ms"], :>=, 2000
    assert_equal [ "rate 40/s", "rate 80/s", "rate 160/s", "rate 40/s", "rate 113/s", "rate 40/s" ],
      run.commands.map(&:line)
  ensure
    as_planned.remove_method :judge
    silence_warnings { Experiment::Stepped.const_set :MOST, most }
  end

  private
    def part_of(run)
      run.outcome.part_in_experiment
    end

    def launch(words)
      factor = { "name" => "workers", "path" => "brokers.0.settings.workers", "levels" => [ 1, 2 ] }
      definition = DEFINITION.merge("experiment" => { "factors" => [ factor ], "order" => "listed", **words })
      Experiment.from_definition(definition).tap do |experiment|
        experiment.creator = users(:experimenter)
        assert experiment.launch, experiment.errors.full_messages.to_sentence
      end
    end

    # @return requests per second that began within the interval [ms], from the client's log
    def started_within(span, files)
      lines = files["logs/local/client_0/performance_client_0.log"].scan(/^(\d+);(\d+);\w+#OK/)
      lines.count { |us, ended| span.cover?(ended.to_i - us.to_i / 1000) } * 1000.0 / (span.end - span.begin)
    end

    # Performs all jobs one at a time. The block gives the verdict of each analysed run, independent of the load of this
    # machine.
    def perform_all_jobs
      examined = TestRun.where("figures ? 'examined'").ids
      while enqueued_jobs.any? { |job| job["job_class"].in?(JOBS.map(&:name)) }
        perform_enqueued_jobs only: JOBS
        TestRun.where("figures ? 'examined'").where.not(id: examined).each do |run|
          examined << run.id
          judge run, block_given? ? yield(run) : "good"
        end
      end
    end

    def judge(run, verdict)
      checks = [ { "verdict" => verdict, "check" => "Test", "reason" => "made up by the test" } ]
      run.update! figures: run.figures.merge("checks" => checks)
    end
end
