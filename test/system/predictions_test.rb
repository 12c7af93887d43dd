require "application_system_test_case"
require "test_helpers/modelled_run"

class PredictionsTest < ApplicationSystemTestCase
  include ModelledRun

  test "a prediction is asked, answered and checked" do
    sign_in
    run = modelled_run
    visit test_run_path(run)
    click_link "What if"
    fill_in "Clients", with: "sixteen"
    click_button "Predict"
    assert_selector ".error", text: "Must be a whole number"
    fill_in "Clients", with: "16"
    fill_in "Brokers", with: "2"
    click_button "Predict"
    assert_selector "h2", text: "16 clients, 2 brokers"

    Prediction.last.perform
    assert_selector ".stations .binding"
    assert_text "Not measured: 2 brokers instead of 1, 16 clients, and the rate of the bottleneck, 4 times that of"
    assert_selector "img.only-light", count: 3
    click_button "Launch this to check"
    assert_text "run #{Prediction.last.reload.check_run_id}"
    assert_selector "#check-title"
  end
end
