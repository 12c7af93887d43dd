require "application_system_test_case"

class ListTest < ApplicationSystemTestCase
  test "who searches stays in the search field, and figures of runs at work change by themselves" do
    run, other = %w[ Workers Batches ].map { |name| build name }
    sign_in
    visit test_runs_path
    assert_selector ".runs tbody tr", text: other.name
    fill_in "Search runs", with: "workers"
    find_field("Search runs").send_keys :enter
    assert_no_selector ".runs tbody tr", text: other.name
    assert_equal "q", evaluate_script("document.activeElement.name")

    run.samples.create! at: run.load_starts_at + 5, figures: { rate: 417.0, ok: 10, errors: 0, late: 0 }
    assert_selector ".thr", text: "417 /s", wait: 15

    page.driver.resize 390, 844
    assert_link "Import YAML"
    assert_selector ".topbar a[href*=at_work]", text: "2"
    assert_equal 390, evaluate_script("document.documentElement.scrollWidth")
  end

  private
    def build(name)
      TestRun.from_definition(name: name, provider: "local", brokers: [ { scenario: "Broker" } ],
        clients: [ { scenario: "OneWayClient" } ]).tap do |run|
        run.update! creator: users(:experimenter), state: "running", launched_at: 20.seconds.ago,
          load_starts_at: 10.seconds.ago
      end
    end
end
