require "test_helper"
require "test_helpers/modelled_run"

class PredictionTest < ActiveSupport::TestCase
  include ModelledRun

  setup { @run = modelled_run }

  test "predicts more clients and brokers with intervals" do
    prediction = @run.predictions.create!(clients: 16, brokers: 2)
    prediction.perform

    assert_predicate prediction, :completed?, prediction.error
    assert_equal "16 clients, 2 brokers", prediction.title
    predicted = prediction.predicted("throughput")
    assert_operator predicted["low"], :<, predicted["high"]
    assert_in_delta 16, predicted["value"] * (0.005 + prediction.predicted("response_ms")["value"] / 1000), 0.05
    assert_equal [ "2 brokers instead of 1" ], prediction.answer["not_measured"]
    assert_equal %w[ closed_throughput closed_response waiting_over_utilisation ], prediction.picture_names
    assert_match "<svg", prediction.picture("closed_throughput", "dark").download
  end

  test "a run without waiting times has no chart of them" do
    @without_waiting = true
    prediction = modelled_run.predictions.create!(rate: "200/s").tap(&:perform)
    assert_predicate prediction, :completed?, prediction.error
    assert_empty prediction.picture_names

    @without_waiting = false
    prediction = modelled_run.predictions.create!(rate: "200/s", workers: 3).tap(&:perform)
    assert_equal %w[ waiting_over_utilisation ], prediction.picture_names
  end

  test "an impossible question is refused with the reason" do
    open = modelled_run(**{ "rate" => "100/s" }).predictions.build(clients: 8)
    assert_not open.valid?
    assert_match "the load of this run has a rate", open.errors.full_messages.sole

    wrong = @run.predictions.build(clients: "many", workers: 1.5, database_faster: 0, brokers: 10**30)
    assert_not wrong.valid?
    assert_equal %i[ brokers clients database_faster workers ], wrong.errors.attribute_names.sort
    assert_not @run.predictions.build(clients: 3, rate: "100/s").valid?
    assert_match "has not ended", test_runs(:running).predictions.build.tap(&:valid?).errors.full_messages.to_sentence
  end

  test "the check is the run with the asked changes" do
    change_group @run, :client, jvm_count: 2, client_count: 2
    assert_equal [ "7 clients cannot be divided among the groups of the run: ask for 6 or 8" ], objections(clients: 7)
    assert_match(/times as fast cannot be launched/, objections(clients: 8, database_faster: 2).sole)
    assert_equal [ "3000 clients in each JVM are more than 1,000: ask with more JVMs in the run" ],
      objections(clients: 6000)

    prediction = answered(clients: 8, brokers: 3, workers: 4, connections: 5)
    check = prediction.launch_check && prediction.check_run
    assert_predicate check, :queued?, prediction.errors.full_messages
    assert_equal [ 8, 3, { "workers" => "4", "db.connections" => "5" }, { "think.time" => "5ms" } ],
      [ check.definition.clients_in_all, check.definition.brokers_in_all, check.broker_groups.sole.settings,
        check.client_groups.sole.settings ]
    assert_equal [ "4", "2" ],
      [ @run.reload.definition.clients_in_all.to_s, @run.broker_groups.sole.settings["workers"] ]
    assert_not prediction.launch_check
    assert_match "checks it already", prediction.errors.full_messages.sole

    open = answered(rate: "300/s")
    assert open.launch_check, open.errors.full_messages
    assert_equal({ "rate" => "150.0/s", "arrivals" => "poisson", "rate.of" => "jvm", "inflight.max" => "1000" },
      open.check_run.client_groups.sole.settings)
  end

  test "compares the prediction with its examined check" do
    prediction = answered(clients: 8)
    prediction.launch_check
    check = prediction.check_run
    assert_nil prediction.confirmed?

    check.update! state: "finished", ended_at: Time.current
    assert_nil prediction.times_slower
    @run.update! figures: @run.figures.merge("checks" => [ speed(3_000.0) ])
    check.update! figures: { "examined" => true, "checks" => [ speed(3_900.0) ],
      "exact" => { "throughput" => 1_050.0, "mean" => 2_300.0 } }
    prediction.reload
    assert_in_delta 1.3, prediction.times_slower
    assert_in_delta 5, prediction.error_percent("throughput"), 0.01
    assert prediction.within?("throughput")
    assert_not prediction.within?("response_ms")
    assert_not prediction.confirmed?

    check.destroy!
    assert_nil prediction.reload.check_run
    assert_empty prediction.objections_to_check
  end

  private
    def requests
      super.tap { |_, broker, *| broker.gsub!(/^.*;BQueue;.*$\n/, "") if @without_waiting }
    end

    def speed(us)
      { "verdict" => "good", "check" => "Machine speed", "reason" => "steady", "value" => us }
    end

    def answered(**asked)
      figures = { "throughput" => { "value" => 1_000.0, "low" => 900.0, "high" => 1_100.0 },
        "response_ms" => { "value" => 3.0, "low" => 2.8, "high" => 3.2 } }
      @run.predictions.create!(state: "completed", answer: { "answer" => figures }, **asked)
    end

    def objections(**asked)
      answered(**asked).objections_to_check
    end
end
