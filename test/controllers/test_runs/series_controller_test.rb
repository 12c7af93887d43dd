require "test_helper"

class TestRuns::SeriesControllerTest < ActionDispatch::IntegrationTest
  setup do
    @run = test_runs(:running)
    sign_in_as users(:experimenter)
  end

  test "load, machines and JVMs share one time axis" do
    reading 6, "machine:local" => { user: 40, system: 5 }, "jvm:broker_0" => { heap: 1024 }
    reading 8, "machine:local" => { user: 60.1234567, system: 5 }
    series = series(from: 5, to: 12)

    assert_equal [ 5, 6, 7, 8, 9, 10, 11 ], series["times"]
    assert_equal [ nil, 40, nil, 60.12, nil, nil, nil ], line(series, "processor_local", "user")
    assert_equal [ nil, 1024, nil, nil, nil, nil, nil ], line(series, "heap", "broker_0")
    assert_equal (270..276).to_a, line(series, "rate", "rate")
    assert_empty series["charts"].map { |chart| chart["key"] } & %w[ disk commits gc ]
    assert_match "p99 of each second's responses, of the worst client JVM", chart(series, "time")["note"]
    assert_equal [ 0, 60 ], series["steady"]
  end

  test "the future has no points" do
    @run.update_columns load_starts_at: 30.5.seconds.ago
    assert_includes 30..40, series["times"].last
    assert_operator series(from: 55)["times"].size, :<=, 1
    @run.update_columns load_starts_at: nil
    assert_equal [ [], [] ], series.values_at("times", "charts")
  end

  test "a part of a day has shorter steps" do
    @run.update! duration: 24 * 3600, load_starts_at: 25.hours.ago
    @run.samples.delete_all
    [ 100, 300 ].each.with_index do |rate, n|
      @run.samples.create! at: @run.load_starts_at + 7201 + n, figures: { rate: rate, p99: rate, mean: nil }
    end
    whole, part = series, series(from: 7000, to: 8000)

    assert_equal [ 360, 240 ], [ whole["step"], whole["times"].size ]
    assert_equal 24, part["step"]
    assert_equal [ 200 ], line(part, "rate", "rate").compact
    assert_equal [ 300 ], line(part, "time", "p99 (1 s)").compact
    assert_nil line(part, "time", "mean")
    (0..86_000).step(14_400) { |from| assert_operator series(from: from)["times"].size, :<=, Outcome::Series::MOST }
  end

  test "a missing sample is a gap, a late one is not" do
    sampled = [ 0.9, 2.05, 3.1, 5.1, 6.0, 7.9 ]
    [ 240, 3600 ].each do |duration| # by steps, and by samples
      @run.update! duration: duration, load_starts_at: 5.minutes.ago
      @run.samples.delete_all
      TestRun::Step.where(test_run: @run).delete_all
      sampled.each do |second|
        @run.samples.create! at: @run.load_starts_at + second, figures: { rate: second * 10 }
      end

      assert_equal [ 9, 20.5, 20.5, 31, nil, 51, 60, 79, nil ],
        line(series(from: 0, to: 9), "rate", "rate"), duration
    end
  end

  test "messages are rates between the last samples of steps" do
    @run.update! duration: 24 * 3600, load_starts_at: 25.hours.ago
    @run.samples.delete_all
    TestRun::Step.where(test_run: @run).delete_all
    [ 7210, 7225, 7249, 7700 ].each do |second|
      @run.samples.create! at: @run.load_starts_at + second,
        figures: { rate: 1, sent: second * 40, received: second * 30 }
    end

    [ series, series(from: 7000, to: 8000) ].each do |found|
      assert_equal [ 40 ], line(found, "messages", "sent").compact.uniq, found["step"]
      assert_equal [ 30 ], line(found, "messages", "received").compact.uniq
    end
    assert_equal 2, line(series(from: 7000, to: 8000), "messages", "sent").compact.size
    assert_equal [ 40 ], line(series(from: 7225, to: 7240), "messages", "sent").compact, "since the step before"
  end

  test "limits the machines unless they are named" do
    20.times { |n| @run.machines.create! name: "more_#{n}", role: "client", provider: @run.provider }
    reading 6, **[ "local", *20.times.map { |n| "more_#{n}" } ].to_h { |name| [ "machine:#{name}", { user: 1 } ] }

    assert_equal [ 8, 13 ], [ processors(series).size, series["not_shown"]["machines"] ]
    assert_equal [ "Processor time, more_19" ], processors(series(only: "more_19,broker_0"))
  end

  test "refuses an invalid range with the valid one" do
    { { from: -1 } => "from must be a number of seconds from 0 to 60", { to: "x" } => "to must be a number of seconds",
      { to: 61 } => "to must be a number", { from: 10, to: 10 } => "from must be less than to",
      { from: "NaN" } => "from must",
      { step: 7 } => "step must be 1", { only: "nobody" } => "it has no nobody", { from: [ 1 ] } => "from" }
      .each do |asked, complaint|
      get test_run_series_path(@run, **asked, format: :json)
      assert_response :unprocessable_entity, asked.inspect
      assert_match complaint, response.parsed_body["errors"].sole
    end
  end

  private
    def series(**asked)
      get test_run_series_path(@run, **asked, format: :json)
      assert_response :success
      response.parsed_body
    end

    def chart(series, key)
      series["charts"].find { |chart| chart["key"] == key }
    end

    def line(series, key, name)
      chart(series, key)["lines"].find { |line| line["name"] == name }&.fetch("values")
    end

    def processors(series)
      series["charts"].map { |chart| chart["title"] }.grep(/Processor/)
    end

    def reading(second, **subjects)
      book = TestRun::Reading::Book.new(@run)
      subjects.each { |subject, figures| book.add subject.to_s, figures.stringify_keys, second..second }
      book.save
    end
end
