require "test_helper"
require "testmaster/experiment"

class Experiment::EvaluationTest < ActiveSupport::TestCase
  include ActiveJob::TestHelper

  # Jain 1991, section 18.1: memory and cache size of a workstation, three runs of each combination
  MEASURED = { [ 1, 4 ] => [ 15, 18, 12 ], [ 1, 16 ] => [ 45, 48, 51 ], [ 2, 4 ] => [ 25, 28, 19 ],
    [ 2, 16 ] => [ 75, 75, 81 ] }

  test "effects appear on page, report and command line" do
    experiment = made
    Experiment::Evaluation.request_for experiment
    experiment.evaluation.perform

    evaluation = experiment.reload.evaluation
    assert_predicate evaluation, :completed?, evaluation.error
    effects = evaluation.results["effects"].index_by { |effect| effect["name"] }
    assert_equal [ 9.5, 21.5 ], effects.values_at("workers", "clients").pluck("effect")
    assert_equal [ false, false ], effects.values_at("workers", "clients").pluck("within_noise")
    assert_equal 12, evaluation.runs
    assert_equal 4, evaluation.results.dig("best", "point")
    assert_match(/took 3 ms of processor time in run \d+ and 4 ms in run/, evaluation.results["remarks"].join)
    assert_includes evaluation.picture_names, "effects"
    assert_match "<svg", evaluation.picture("effects", "dark").download
    figure = experiment.points.first.figure("throughput")
    assert_in_delta 15 - 4.303 * 3 / Math.sqrt(3), figure.low, 0.01
    lines = Testmaster::Experiment.new(experiment.as_json).lines(sort: "-throughput")
    assert_match(/^  4 +workers 2, clients 16 +77.0 \+-8.61/, lines[3])
    assert_match(/took 3 ms of processor time/, lines.last)
    assert_match(/clients +21.5 +19.\d+ to 23.\d+ +\d\d.\d %/, lines.join("\n"))

    session = ActionDispatch::Integration::Session.new(Rails.application)
    session.get "/sign_in_link", params: { token: users(:viewer).sign_in_token }
    session.get "/experiments/#{experiment.id}"
    page = Nokogiri::HTML5(session.response.body)
    assert_match(/Best point: 4 \(.*clients 16.*\), 77.0/, page.text)
    assert_match(/clients\s+\+43.\d+\s+\+21.5/, page.at_css(".effects tbody tr").text)
    session.get "/experiments/#{experiment.id}/pictures/effects?theme=light"
    assert_match "<svg", session.response.body
    session.get "/experiments/#{experiment.id}.report"
    assert_match "data:image/svg+xml;base64", session.response.body
    assert_match "+21.5", session.response.body
  end

  test "a later request keeps requested pictures" do
    experiment = made
    [ true, false ].each { |drawn| Experiment::Evaluation.request_for experiment, drawn: drawn }
    experiment.evaluation.perform
    assert_includes experiment.reload.evaluation.picture_names, "effects"
  end

  test "a negative figure has its sign first" do
    words = [ -2_612.0, -646.0, -0.012 ].map { |value| ApplicationController.helpers.significant(value) }
    assert_equal [ "−2,612", "−646", "−0.0120" ], words
  end

  test "a request during an evaluation repeats it" do
    experiment = made
    Experiment::Evaluation.request_for experiment, drawn: false
    evaluation = experiment.evaluation
    evaluation.define_singleton_method :show_step do |words|
      super words
      Experiment::Evaluation.request_for Experiment.find(experiment_id) unless @asked
      @asked = true
    end
    jobs = { only: Experiment::Evaluation::PerformJob }
    assert_enqueued_jobs(2, **jobs) { evaluation.perform } # one by the request, one by the active evaluation
    assert_predicate evaluation.reload, :pending?

    Experiment::Evaluation.find(evaluation.id).perform
    assert_predicate evaluation.reload, :completed?
    assert_includes evaluation.picture_names, "effects"
  end

  test "repeats each point until its interval is tight" do
    experiment = made("repetitions" => { "until" => "throughput +- 30 %", "at_most" => 5 })
    tight = experiment.points.select { |point| experiment.tight?(point) }
    assert_equal [ 2, 4 ], tight.map(&:number)
    assert_equal [ 4, 3, 4, 3 ], experiment.points.map { |point| experiment.wanted_repetitions(point) }
    assert_equal [ 1, 4 ], experiment.due.then { |point, repetition| [ point.number, repetition ] }
  end

  private
    def made(words = { "repetitions" => 3 })
      factors = { "workers" => [ 1, 2 ],
"clients" => [ 4, 16 ] }.zip(%w[ brokers.0.settings.workers clients.0.clients ])
        .map { |(name, levels), path|
 { "name" => name, "levels" => levels, "path" => path } }
      experiment = Experiment.from_definition("name" => "Of a book", "brokers" => [ { "scenario" => "Broker" } ],
        "clients" => [ { "scenario" => "OneWayClient" } ], "experiment" => { "design" => "2k", "order" => "listed",
          "factors" => factors, **words })
      experiment.creator = users(:experimenter)
      experiment.save!
      experiment.update! state: "finished", launched_at: 1.minute.ago, ended_at: Time.current
      experiment.points.each { |point| measure experiment, point }
      experiment.reload
    end

    def measure(experiment, point)
      MEASURED.fetch(point.levels.values_at("workers", "clients")).each_with_index do |value, n|
        run = experiment.run_at(point.levels)
        run.update! experiment: experiment, point: point, repetition: n + 1, attempt: 1, state: "finished",
          launched_at: 1.minute.ago, ended_at: Time.current
        speed = { "verdict" => "good", "check" => "Machine speed", "value" => 3_000.0 + n * 500 }
        run.update! figures: { "examined" => true, "checks" => [ { "verdict" => "good", "check" => "All" }, speed ],
          "rate" => { "value" => value } }
      end
    end
end
