require "application_system_test_case"

class ExperimentsTest < ApplicationSystemTestCase
  include WaitingHelper

  test "an experiment is defined, run, paused and cancelled" do
    sign_in
    visit new_experiment_path
    assert_selector "#estimate tbody tr", count: 9
    fill_in "experiment[factors][][levels]", with: "1, 2, 3, 4, 5"
    assert_selector "#estimate tbody tr", count: 15
    fill_in "test_run[name]", with: "In a browser"
    find("summary", text: "Machines, durations, brokers").click
    fill_in "Load lasts", with: "10s"
    fill_in "Warm-up", with: "1s"
    fill_in "Cool-down", with: "0s"
    fill_in "Clients per JVM", with: "2"
    fill_in "Rate", with: "50/s"
    fill_in "Of each point", with: "1"
    select "As written below", from: "Setting"
    find("summary", text: "Several settings at once").click
    fill_in "experiment[factors][][paths]", with: "brokers.0.settings.wokers"
    assert_selector "#estimate [role=alert]", text: "did you mean brokers.0.settings.workers?"
    click_button "Add a factor"
    assert_selector ".factor", count: 2
    all("[aria-label='Remove this factor']").last.click
    select "Workers", from: "Setting"
    assert_selector "#estimate tbody tr", count: 5
    assert_no_selector "#estimate [role=alert]"

    SidekiqWorker.run do
      click_button "Launch"
      assert_selector "h1", text: "In a browser"
      assert_selector ".order a", minimum: 1, wait: 120
      assert_text "next: point"
      click_button "Pause"
      assert_selector ".state", text: "Paused"
      await(within: 240) { TestRun.all.all?(&:examined?) }
      TestRun.all.each { |run| assert_selector ".reps a[href='#{test_run_path(run)}']", wait: 60 }
      assert_no_text "next: point"
      click_button "Cancel"
      within("dialog[open]") { click_button "Cancel" }
      assert_selector ".state", text: "Cancelled"
    end
  end
end
