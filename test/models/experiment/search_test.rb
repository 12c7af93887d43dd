require "test_helper"

class Experiment::SearchTest < ActiveSupport::TestCase
  FIND = { "rate" => "100/s..20000/s", "until" => [ "p99 < 50 ms", "errors = 0", "queue steady" ], "by" => "runs" }

  test "doubles, halves and confirms the highest level" do
    experiment = searched(FIND)
    assert_equal [ 15, "the highest rate from 100/s to 20000/s that holds" ],
      [ experiment.runs_planned, experiment.design_in_words ]
    levels = run_search(experiment) { |rate| { "p99" => rate < 730 ? 20_000 : 80_000 } }

    assert_equal [ 100, 200, 400, 800, 566, 673, 734, 703 ], levels.first(8)
    assert_equal [ 703, 703 ], levels.last(2), "the highest level is run three times"
    assert_equal [ 703.0, 734.0, true ], experiment.search.answer.values_at("holds", "breaks", "confirmed")
    assert_equal "703/s", experiment.run_at(experiment.points.last.levels).client_groups.sole.settings["rate"]
    exported = experiment.to_definition["experiment"]
    assert_equal [ "100/s", 3, nil ], [ exported.dig("find", "from"), exported["repetitions"], exported["factors"] ]
  end

  test "a rejected run counts only if it breaks a condition" do
    experiment = searched(FIND.merge("rate" => "100/s..400/s", "within" => "50 %"), { "again" => 1 })
    runs = Hash.new(0)
    levels = run_search(experiment) do |rate|
      runs[rate] += 1
      case rate
      when 400 then { "p99" => 90_000, "rejected" => true }
      when 283 then { "p99" => runs[283] == 1 ? 20_000 : 90_000 }
      else { "p99" => 20_000, "rejected" => rate == 100 && runs[100] == 1 }
      end
    end
    assert_equal [ 100, 100, 200, 400, 283, 283, 283, 200, 200 ], levels
    assert_equal [ 200.0, 283.0, true ], experiment.search.answer.values_at("holds", "breaks", "confirmed")
  end

  test "ends at both ends of its range" do
    fine = searched(FIND.merge("rate" => "100/s..300/s"), { "repetitions" => 1 })
    assert_equal [ 100, 200, 300 ], run_search(fine) { { "p99" => 1 } }
    assert_equal [ 300.0, nil, true ], fine.search.answer.values_at("holds", "breaks", "confirmed")
    growing = searched(FIND)
    assert_equal [ 100 ], run_search(growing) { { "p99" => 1, "steady" => 0 } }
    assert_equal [ nil, 100.0, false ], growing.search.answer.values_at("holds", "breaks", "confirmed")
  end

  test "a search repeats runs that were deleted" do
    experiment = searched(FIND.merge("rate" => "100/s..200/s"), { "repetitions" => 2 })
    assert_equal [ 100, 200, 200 ], run_search(experiment) { { "p99" => 1 } }
    experiment.update! state: "finished"
    assert experiment.points.last.test_runs.find_by!(repetition: 1).destroy
    experiment.update! state: "running"

    assert_equal [ 200 ], run_search(experiment) { { "p99" => 1 } }
    assert_equal [ 2, 3 ], experiment.points.last.test_runs.map(&:repetition)
  end

  test "the next level is shown without being stored" do
    experiment = searched(FIND.merge("rate" => "100/s..400/s"), { "repetitions" => 1 })
    assert_no_difference [ -> { Experiment::Point.count }, -> { experiment.factors.sole.reload.levels.size } ] do
      point, repetition = experiment.reload.upcoming
      assert_equal [ 1, "rate 100", 1 ], [ point.number, point.title, repetition ]
    end

    point, = experiment.reload.due
    assert_predicate point, :persisted?
    assert_equal point, experiment.reload.upcoming.first
  end

  test "a search by times of messages needs a run for each try" do
    experiment = searched(FIND.except("by").merge("until" => [ "e2e_p99 < 50 ms" ]))
    assert_not_predicate experiment, :by_steps?

    experiment.find = experiment.find.merge("by" => "steps")
    assert_not experiment.valid?
    assert_match "e2e_p99 < 50 ms needs a run for each try", experiment.errors.full_messages.to_sentence
  end

  test "a search by steps is one run" do
    experiment = searched(FIND.except("by"), { "again" => 1 })
    assert_predicate experiment, :by_steps?
    assert_equal [ 1, "the highest rate from 100/s to 20000/s that holds, within one run" ],
      [ experiment.runs_planned, experiment.design_in_words ]
    assert_equal "100/s", experiment.run_of_steps.client_groups.sole.settings["rate"]
    run = begin_run(experiment)
    experiment.search.next_try
    assert_equal [ nil, nil ], experiment.search.answer.values_at("holds", "breaks"), "nothing was tried yet"
    assert_equal [ 100, 200, 200, 200, 400, 800, 800, 566, 673, 734, 734, 703, 703, 703 ],
      try_levels(experiment, run) { |rate, n| { "p99" => rate < 730 && (rate != 200 || n > 1) ? 20.0 : 80.0 } }
    assert_equal [ 703.0, 734.0, true ], experiment.search.answer.values_at("holds", "breaks", "confirmed")
    assert_nil experiment.due

    # The logs show that two of the three tries at 703/s broke the condition.
    examine(experiment, run) { |it| it.level == 703 && it.repetition > 1 ? 60.0 : it.figures["p99"] }
    assert_equal [ 673.0, 703.0, false ], experiment.reload.search.answer.values_at("holds", "breaks", "confirmed")
    assert_equal 673, experiment.due.first.levels.values.sole
    second = begin_run(experiment)
    assert_equal [ 673, 673 ], try_levels(experiment, second) { { "p99" => 20.0 } }
    examine(experiment, second) { 20.0 }
    assert_equal [ 673.0, 703.0, true ], experiment.reload.search.answer.values_at("holds", "breaks", "confirmed")
    assert_nil experiment.due
    assert_equal 16, CSV.parse(experiment.to_csv).count { |row| row[0].to_s.include? "try" }
    point = experiment.as_json["points"].find { |it| it.dig("levels", "rate") == 703 }
    assert_equal [ [ true, true ], [ false, true ], [ false, true ] ],
      point["tries"].map { |it| it.values_at("holds", "counts") }
  end

  test "a try without a p99 in the logs does not hold" do
    experiment = searched(FIND.except("by"))
    run = begin_run(experiment)
    point, repetition = experiment.search.next_try
    tried = run.tries.create! point: point, repetition: repetition, measured_from: 20.seconds.ago,
      measured_to: Time.current
    tried.judge({ "p99" => 20.0, "errors" => 0.0, "queue steady" => 1.0 }, experiment.search.conditions,
      state: "judged")
    assert_predicate tried, :holds?

    tried.judge({ "throughput" => 99.0, "mean" => 5.0 }, experiment.search.conditions, state: "examined")
    assert_not_predicate tried, :holds?
    assert_nil tried.figures["p99"]
  end

  test "an invalid search is refused with the reason" do
    { { "rate" => "fast" } => /rate must be a range/,
      { "rate" => "200/s..100/s" } => /from must be above 0 and below to/,
      { "rate" => "100/s..9/min" } => /same unit/, { "until" => [] } => /until must be conditions/,
      { "until" => [ "p99 < 5 %" ] } => /until: "p99 < 5 %" must be in us, ms or s/,
      { "until" => [ "erors = 0" ] } => /"erors = 0" has a figure that is not known.*; did you mean errors\?/,
      { "until" => [ "queue stead" ] } => /did you mean queue steady\?/, { "until" => [ "luck > 1" ] } => /figures are/,
      { "path" => "clients.0.settings.rte" } => /did you mean/, { "by" => "hand" } => /by must be one of steps, runs/,
      { "path" => "brokers.0.settings.workers", "rate" => "1..8", "by" => "steps" } => /by steps needs a path such as/,
      { "within" => "90 %" } => /within must be/, { "speed" => 1 } => /find has no "speed"/ }.each do |words, complaint|
      experiment = searched(FIND.merge(words), save: false)
      assert_not experiment.valid?
      assert_match complaint, experiment.errors.full_messages.to_sentence
    end
    short = searched(FIND, save: false).tap { |it| it.base_definition = it.base_definition.merge("duration" => "10s") }
    assert_not short.valid?
    assert_match(/queue steady needs 12 s that count, and a try has/, short.errors.full_messages.to_sentence)
    phased = searched(FIND.merge("by" => "steps"), save: false)
    phased.base_definition = phased.base_definition.except("duration").merge("load" => [ { "for" => "60s" } ])
    assert_not phased.valid?
    assert_match "the load has phases of its own: write by: runs", phased.errors.full_messages.to_sentence
    both = searched(FIND, { "factors" => [ {} ], "design" => "2k" }, save: false).tap(&:validate)
    assert_match "leave factors and design out", both.errors.full_messages.to_sentence
  end

  private
    def searched(find, words = {}, save: true)
      Experiment.from_definition("name" => "Highest", "brokers" => [ { "scenario" => "Broker" } ],
        "clients" => [ { "scenario" => "OneWayClient" } ], "experiment" => { "find" => find, **words }).tap do |it|
        it.creator = users(:experimenter)
        it.save! && it.update!(state: "running", launched_at: Time.current) if save
      end
    end

    def begin_run(experiment)
      experiment.run_of_steps.tap do |run|
        run.update! experiment: experiment, attempt: experiment.all_runs.size + 1, state: "running",
          launched_at: 1.minute.ago, load_starts_at: 1.minute.ago
      end
    end

    # @return the levels that are tried within a run
    def try_levels(experiment, run)
      levels = []
      while found = experiment.reload.search.next_try
        point, repetition = found
        levels << point.levels.values.sole
        tried = run.tries.create! point: point, repetition: repetition, measured_from: 20.seconds.ago,
          measured_to: Time.current
        figures = { "errors" => 0.0, "queue steady" => 1.0, **yield(levels.last, levels.count(levels.last)) }
        tried.judge figures, experiment.search.conditions, state: "judged"
        flunk "the search does not end" if levels.size > 60
      end
      levels
    end

    def examine(experiment, run)
      run.tries.reload.each do |it|
        it.judge({ "p99" => yield(it) }, experiment.search.conditions, state: "examined")
      end
      run.update! state: "finished", ended_at: Time.current
      run.update! figures: { "examined" => true, "checks" => [ { "verdict" => "good", "check" => "All" } ] }
      experiment.reload
    end

    # Runs the search until nothing is due; the block gives the figures of each run. @return the levels in order
    def run_search(experiment)
      levels = []
      while due = experiment.reload.due
        point, repetition = due
        levels << point.levels.values.sole
        measured = yield levels.last
        run = experiment.run_at(point.levels)
        run.update! experiment: experiment, point: point, repetition: repetition, state: "finished",
          attempt: point.test_runs.where(repetition: repetition).maximum(:attempt).to_i + 1, launched_at: 1.minute.ago,
          ended_at: Time.current
        checks = [ { "verdict" => measured["rejected"] ? "rejected" : "good", "check" => "All" } ]
        run.update! figures: { "examined" => true, "checks" => checks, "ok" => 100, "errors" => 0,
          "exact" => { "p99" => measured["p99"] }, "queue" => { "steady" => measured.fetch("steady", 1) } }
        flunk "the search does not end" if levels.size > 60
      end
      levels
    end
end
