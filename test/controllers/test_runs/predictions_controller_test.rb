require "test_helper"
require "test_helpers/modelled_run"

class TestRuns::PredictionsControllerTest < ActionDispatch::IntegrationTest
  include ActiveJob::TestHelper, ModelledRun

  setup do
    sign_in_as users(:experimenter)
    @run = modelled_run
  end

  test "a run whose load has a rate offers a run without one" do
    group = @run.definition.client_groups.sole
    group.settings = group.settings.merge("rate" => "100/s")
    @run.save! validate: false
    get test_run_predictions_path(@run)

    assert_select ".note", /the load of this run has a rate: run it without one/
    assert_select "button", "Run again without a rate"
    assert_select ".meta", { text: /queueing network/, count: 0 }
    assert_difference -> { TestRun.count } do
      post test_run_duplicate_path(@run), params: { remedy: "without_rate", launch: 1 }
    end
    assert_nil TestRun.last.definition.client_groups.sole.settings["rate"]
  end

  test "a prediction is asked, answered and checked" do
    get test_run_path(@run)
    assert_select "a[href='#{test_run_predictions_path(@run)}']", "What if"
    get test_run_predictions_path(@run)
    assert_select ".hint", "Measured with 4"

    post test_run_predictions_path(@run), params: { prediction: { clients: "16", workers: "", database_faster: "1" } }
    prediction = @run.predictions.sole
    assert_redirected_to test_run_prediction_path(@run, prediction)
    get test_run_prediction_path(@run, prediction)
    assert_select "[role=status] p", "Waiting for its turn"
    perform_enqueued_jobs only: Prediction::PerformJob

    get test_run_prediction_path(@run, prediction)
    assert_select ".figure dt", "Bottleneck"
    assert_select ".stations .binding", /Workers/
    assert_select ".note--warn", /Not measured: 16 clients/
    assert_select "img.plot-sheet", 6
    assert_select "figcaption", /Waiting for a worker over utilisation\s+lines: model with Poisson arrivals/
    assert_select "input#prediction_clients[value='16']"
    assert_select ".hint", /For the run itself the model predicts .* Before fitting/
    get test_run_prediction_path(@run, prediction, format: :csv)
    rows = CSV.parse(response.body, headers: true)
    answer = prediction.reload.answer
    assert_equal [ "as asked", "16", answer.dig("answer", "throughput", "high").to_s ],
      rows[-1].values_at("system", "clients", "throughput_high")
    assert_equal answer["curve"].pluck("clients").map(&:to_s), rows["clients"]
    get test_run_prediction_picture_path(@run, prediction, "closed_response", theme: "dark")
    assert_match "<svg", response.body
    get test_run_prediction_picture_path(@run, prediction, "closed_response", theme: "../x")
    assert_response :not_found

    post test_run_prediction_check_path(@run, prediction)
    check = prediction.reload.check_run
    entry = AuditEntry.last
    assert_equal [ "launched a check of", check ], [ entry.action, entry.test_run ]
    assert_match "16 clients", entry.subject
    check.update! state: "finished", ended_at: Time.current
    check.update! figures: { "examined" => true, "exact" => { "throughput" => 1.0, "mean" => 2_000.0 } }
    get test_run_prediction_path(@run, prediction)
    assert_select "#check-title"
    assert_select ".state", "Outside"
    assert_select "td", /−99\.\d/
    get test_run_path(check)
    assert_select ".meta a", "prediction of run #{@run.id}"

    delete test_run_prediction_path(@run, prediction)
    assert_redirected_to test_run_predictions_path(@run)
    assert check.reload
  end

  test "JSON requests name the field that is wrong" do
    post test_run_predictions_path(@run, format: :json), params: { prediction: { rate: "200/s" } }, as: :json
    assert_response :created
    prediction = @run.predictions.sole
    post test_run_prediction_check_path(@run, prediction, format: :json)
    assert_response :unprocessable_entity
    assert_equal [ "The prediction has not been made" ], response.parsed_body["errors"]
    perform_enqueued_jobs only: Prediction::PerformJob
    get test_run_prediction_path(@run, prediction, format: :json)
    assert_equal [ "completed", 200.0, [] ],
      response.parsed_body.then { |it| [ it["state"], it.dig("answer", "answer", "rate"), it["objections"] ] }
    get test_run_prediction_path(@run, prediction)
    assert_select ".figure", /as entered/
    get test_run_predictions_path(@run, format: :json)
    assert_equal [ prediction.id ], response.parsed_body.pluck("id")

    post test_run_predictions_path(@run), params: { prediction: { clients: "many", rate: "" } }
    assert_response :unprocessable_entity
    assert_select "#prediction_clients[aria-invalid=true]"
    post test_run_predictions_path(@run, format: :json), params: { prediction: { clients: 1, cores: 2 } }, as: :json
    assert_match "cores", response.parsed_body["errors"].sole
  end

  test "viewers may read but not ask" do
    get test_run_predictions_path(test_runs(:running))
    assert_select ".note", /has not ended/
    assert_select "main form", 0

    prediction = @run.predictions.create!(clients: 2)
    delete test_run_prediction_path(@run, prediction)
    assert_predicate prediction.reload, :cancelled?
    get test_run_prediction_path(@run, prediction)
    assert_select ".note", /Cancelled/

    users(:experimenter).update! role: "viewer"
    get test_run_prediction_path(@run, prediction)
    assert_response :ok
    assert_select "main form", 0
    post test_run_predictions_path(@run), params: { prediction: { clients: 1 } }
    assert_response :forbidden
    post test_run_prediction_check_path(@run, prediction)
    assert_response :forbidden
  end
end
