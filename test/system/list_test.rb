require "application_system_test_case"

class ListTest < ApplicationSystemTestCase
  test "searching keeps the focus, and figures update" do
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

    fill_in "Search runs", with: ""
    find_field("Search runs").send_keys :enter
    assert_selector ".runs tbody tr", text: other.name
    other.update! state: "cancelled", ended_at: Time.current
    assert_selector ".runs tbody tr", text: "Cancelled"
    assert_no_button "Compare"
    check "Choose run #{other.id}"
    fill_in "Tag to add", with: "kept"
    find_field("Tag to add").send_keys :enter
    assert_text "1 run tagged kept."
    check "Choose run #{other.id}"
    run.samples.create! at: run.load_starts_at + 6, figures: { rate: 419.0, ok: 11, errors: 0, late: 0 }
    assert_selector ".thr", text: "418 /s", wait: 15
    assert_button "Compare", exact: true # ticked runs stay ticked
    click_button "Delete…"
    assert_selector "dialog[open]", text: "Delete 1 run?"
    click_button "Delete the runs"
    assert_text "1 run deleted"
    assert_not TestRun.exists?(other.id)

    page.current_window.resize_to 390, 844
    assert_link "Import YAML"
    assert_selector ".topbar a[href*=at_work]", text: "1"
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
