require "test_helper"
require "minitest/mock"

class Definition::WeighedTest < ActiveSupport::TestCase
  setup { TestRun.at_work.update_all state: "finished" }

  test "logs grow with rate, seconds and sample" do
    run = build({ "rate" => "1000/s" })
    assert_in_delta 1000 * 600 * 415, run.definition.log_bytes, 0.05 * 1000 * 600 * 415
    assert_in_delta 10, build({ "rate" => "10000/s" }).definition.log_bytes / run.definition.log_bytes.to_f, 0.5
    assert_in_delta 6,
      build({ "rate" => "1000/s" }, duration: "1h").definition.log_bytes / run.definition.log_bytes.to_f, 0.01

    sampled = build({ "rate" => "1000/s", "common.performancelogger.sample" => "10" }, brokers: { "common." \
      "performancelogger.sample" => "10" })
    assert_in_delta 0.1, sampled.definition.log_bytes / run.definition.log_bytes.to_f, 0.02
  end

  test "each message of a bulk take has a line" do
    single, bulk = %w[ Only#dequeueMessage Only#dequeueMessages ].map do |scenario|
      build({ "rate" => "1000/s" }, scenario: scenario).definition.log_bytes
    end

    assert_equal 1000 * 600 * 99 * 66, bulk - single
  end

  test "a rented machine stores its own raw logs" do
    run = build({ "rate" => "1000/s" })
    rented = build({ "rate" => "1000/s" }).tap do |it|
      it.assign_attributes provider: Provider::Ec2.create!(name: "cloud"), database: "machine"
    end

    assert_equal 3 * rented.definition.zip_bytes, rented.definition.disk_needed
    assert_operator run.definition.disk_needed, :>, rented.definition.disk_needed + run.definition.log_bytes
  end

  test "untaken and filled messages stay in the database" do
    balanced = build({ "rate" => "1000/s" })
    sent = build({ "rate" => "1000/s" }, scenario: "PublicQueueProducer")
    filled = build({ "rate" => "1000/s" }).tap { |it| it.database_settings = { "fill" => "20,1000000,100" } }

    assert_equal 1000 * 600 * 400, sent.definition.database_bytes - balanced.definition.database_bytes
    assert_equal 1_000_000 * 400, filled.definition.database_bytes - balanced.definition.database_bytes
  end

  test "without a rate it assumes the latest runs' fastest" do
    assert_equal Definition::Weighed::GUESSED_RATE, build({}).definition.expected_rate
    test_runs(:finished).update_columns figures: { "rate" => { "value" => 1234.5 } }
    assert_equal 1234.5, build({}).definition.expected_rate
  end

  test "a run without enough disk is refused with advice" do
    run = build({ "rate" => "1000/s" })

    free(run.definition.disk_needed + Health::ROOM - 1) do
      assert_not run.launch
      assert_match(/needs about .* of disk, and .* are free, of which 1 GB must stay free: shorten the run, record/,
        run.errors.full_messages.to_sentence)
      assert_not_predicate run, :persisted?
    end
    free(run.definition.disk_needed + Health::ROOM) { assert run.launch, run.errors.full_messages.to_sentence }
  end

  test "what active runs will still write is not free" do
    other = build({ "rate" => "1000/s" })
    assert other.launch
    needed = other.definition.disk_needed
    free(needed) { assert_equal 0, build({}).free_for_runs }

    other.update_columns state: "running", load_starts_at: 300.seconds.ago
    zips = 3 * other.definition.zip_bytes
    free(needed) { assert_in_delta (needed - zips) / 2, build({}).free_for_runs, 0.02 * needed }
    free(needed) { assert_equal needed, other.free_for_runs }
  end

  test "space for zips stays reserved until the run ends" do
    other = build({ "rate" => "1000/s" })
    assert other.launch
    needed, zips = other.definition.disk_needed, 3 * other.definition.zip_bytes

    other.update_columns state: "collecting", load_starts_at: 3000.seconds.ago
    free(needed) { assert_equal needed - zips, build({}).free_for_runs }
    other.update_columns state: "finished"
    free(needed) { assert_equal needed, build({}).free_for_runs }
  end

  test "a run is launched when free space is unknown" do
    free(nil) { assert build({ "rate" => "1000/s" }).launch }
  end

  test "an experiment needs space for the zips of all runs" do
    definition = build({ "rate" => "1000/s" }).to_definition.merge("experiment" => { "design" => "grid",
      "repetitions" => 10, "factors" => [ { "name" => "workers", "path" => "brokers.0.settings.workers",
        "levels" => [ 1, 2 ] } ] })
    experiment = Experiment.from_definition(definition).tap { |it| it.creator = users(:experimenter) }
    run = experiment.base_run

    assert_in_delta run.definition.disk_needed + 20 * run.definition.zip_bytes, experiment.disk_needed,
      run.definition.zip_bytes
    free(run.definition.disk_needed + Health::ROOM) do
      assert_not experiment.launch
      assert_match(/\A20 runs need about/, experiment.errors.full_messages.to_sentence)
    end
  end

  test "an experiment over rates weighs every rate" do
    definition = build({ "rate" => "10/s" }).to_definition.merge("experiment" => { "design" => "grid",
      "repetitions" => 1, "factors" => [ { "name" => "rate", "path" => "clients.0.settings.rate",
        "levels" => [ "10/s", "1000/s" ] } ] })
    experiment = Experiment.from_definition(definition).tap { |it| it.creator = users(:experimenter) }
    low, high = [ "10/s", "1000/s" ].map { |rate| build({ "rate" => rate }) }

    assert_in_delta high.definition.disk_needed + low.definition.zip_bytes + high.definition.zip_bytes,
      experiment.disk_needed, 10
  end

  private
    def build(settings, duration: "10min", scenario: "OneWayClient", brokers: {})
      TestRun.from_definition("name" => "Weighed", "duration" => duration, "provider" => "local",
        "brokers" => [ { "scenario" => "Broker", "settings" => brokers } ],
        "clients" => [ { "scenario" => scenario, "settings" => settings } ]).tap do |run|
          run.creator = users(:experimenter)
        end
    end

    def free(bytes, &)
      Health.stub(:free_bytes, bytes, &)
    end
end
