require "application_system_test_case"
require "support/system_run_contract"

class SystemsTest < ApplicationSystemTestCase
  include SystemRunContract

  READY = 300 # seconds at most

  test "runs of all systems are launched, steered, compared" do
    SidekiqWorker.run do
      sign_in
      System.all.each { |system| launch system }
      TestRun.order(:id).each do |run|
        await(within: READY) { measuring?(run) }
        steer run
        assert_figures_of run
        await(within: READY) { run.reload.figures.key?("examined") }
        assert_kept run
      end
      compare_all
    end
  end

  private
    # The runs are queued.
    def launch(system)
      visit new_test_run_path
      fill_in "Name", with: "On #{system.label}"
      # A command ends the load, so the duration must outlast all earlier commands.
      { "Load lasts" => "10min", "Warm-up" => "0s", "Cool-down" => "0s" }
        .each { |label, time| fill_in label, with: time }
      within(".group[data-role=broker]") { choose_system system }
      within(".group[data-role=client]") do
        select "OneWayClient", from: "Scenario"
        fill_in "Rate", with: "50/s"
        find("summary", text: "More settings").click
        fill_in "Timeout", with: "30s"
      end
      assert_selector "legend", text: "Database", count: system.in_database? ? 1 : 0
      click_button "Launch", match: :first
      assert_selector "h1", text: "On #{system.label}"
    end

    def choose_system(system)
      find("summary", text: "More settings").click
      select system.label, from: "System"
      assert_selector "p.hint", text: system.description
      system.settings_of("broker", "Broker").each { |setting| assert_selector "label", text: setting.label }
      system.in_database? ? assert_no_field("Address") : assert_field("Address")
      system.jvm? ? assert_field("Heap") : assert_no_field("Heap")
    end

    # Checks the actions that the system allows. Without MLMQ, the page must not mention its tables or brokers.
    def assert_figures_of(run)
      visit test_run_path(run)
      assert_selector ".verdict[data-verdict]:not([data-verdict=failed])", wait: READY
      assert_selector ".figure__value", text: "/s"
      # Drawing charts moves the page, so a click may miss.
      await { has_selector?("#machines-part[open]", wait: 0) || !find("#machines-part summary").click }
      assert_selector "#machines-part li",
        text: /broker_0 #{run.system.default? ? "Broker" : "#{run.system.label} \\d"}/
      visit test_run_charts_path(run)
      assert_equal run.system.plots.size, all("#analyze [name='analysis[kind]']", visible: :all).size
      unless run.system.default?
        assert_no_text "MLMQ"
        visit test_run_logs_path(run)
        assert_includes RunArchive.new(download("Download logs")).names, "logs/local/broker_0/counters.csv"
      end
    end

    def compare_all
      visit test_runs_path
      TestRun.ids.each { |id| check "Choose run #{id}" }
      click_button "Compare", exact: true
      assert_selector "h1, h2", text: /On MLMQ|Comparison|Compare/, wait: 60
      System.all.each { |system| assert_text "On #{system.label}" }
    end
end
