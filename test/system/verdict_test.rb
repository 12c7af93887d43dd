require "application_system_test_case"

class VerdictTest < ApplicationSystemTestCase
  # One script for all terms, as the page may be updated between two.
  WIDTHS = <<~JS
    [ ...document.querySelectorAll(".term") ].map(term => {
      term.focus()
      return document.documentElement.scrollWidth
    })
  JS

  setup do
    @run = TestRun.from_definition(name: "Disturbed", provider: "local", brokers: [ { scenario: "Broker" } ],
      clients: [ { scenario: "OneWayClient", settings: { rate: "100/s" } } ])
    @run.update! creator: users(:experimenter), state: "finished", launched_at: 2.minutes.ago,
      load_starts_at: 90.seconds.ago, ended_at: 30.seconds.ago
    @run.update! figures: { "examined" => true, "seconds" => 40, "rate" => { "value" => 90 }, "ok" => 3_600,
      "errors" => 0, "late" => 72, "checks" => [
        { "verdict" => "rejected", "check" => "Late starts", "reason" => "72 requests, 2.0 %" },
        { "verdict" => "warning", "check" => "Other programs",
          "reason" => "they took 71 % of the processors of local" } ] }
    sign_in
  end

  test "the next step is a button" do
    visit test_run_path(@run)
    assert_selector ".verdict .why", text: "Other programs took 71 % of the processors of local: close them"
    assert_selector ".complaint", text: "Limit: at most 1 %"
    click_button "Run again with half the rate"

    assert_selector ".page-head .state", text: "Queued"
    assert_equal "50/s", TestRun.order(:id).last.definition.client_groups.sole.settings["rate"]
  end

  test "the sentence of a term fits, also on a phone" do
    [ 1280, 390 ].each do |width|
      page.current_window.resize_to width, 844
      visit test_run_path(@run)
      widths = page.document.synchronize(10, errors: [ Minitest::Assertion ]) do
        evaluate_script(WIDTHS).tap { |terms| assert_operator terms.size, :>=, 3 }
      end
      assert_equal [ width ], widths.uniq
    end
  end
end
