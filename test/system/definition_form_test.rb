require "application_system_test_case"

class DefinitionFormTest < ApplicationSystemTestCase
  setup do
    sign_in
    visit new_test_run_path
  end

  test "saves fields while typing, also after an outage" do
    fill_in "Name", with: "Half a run"
    assert_text "Saved in this form at"
    page.driver.browser.network.blocklist = %r{/unsaved_definition}
    fill_in "Load lasts", with: "soon"
    assert_text "Not saved: the server cannot be reached"
    page.driver.browser.network.blocklist = []
    assert_text "Saved in this form at", wait: 20

    visit test_runs_path
    visit new_test_run_path
    assert_text "is back, as you left it"
    assert_field "Name", with: "Half a run"
    assert_field "Load lasts", with: "soon"
    click_button "Discard it"
    within("dialog[open]") { click_button "Discard" }
    assert_text "What was typed is discarded."
    assert_field "Name", with: ""
  end

  test "adding and removing groups keeps other fields" do
    fill_in "Name", with: "Typed by hand"
    within_group(0) do
      fill_in "Rate", with: "75/s"
      fill_in "Clients per JVM", with: "4"
      find("[aria-label='More: JVMs per machine']").click
      assert_selector "output b", exact_text: "8"
      click_button "Duplicate this group"
    end

    within_group(1) do
      assert_field "Rate", with: "75/s"
      assert_field "JVMs per machine", with: "2"
      fill_in "Rate", with: "10/s"
    end
    assert_selector "[data-definition-target=clients]", exact_text: "16", count: 1

    within_group(0) do
      assert_field "Rate", with: "75/s"
      click_button "Remove this group"
    end
    click_button "Keep it"
    assert_selector ".group[data-role=client]", count: 2
    within_group(0) { click_button "Remove this group" }
    click_button "Remove group"

    assert_selector ".group[data-role=client]", count: 1
    within_group(0) { assert_field "Rate", with: "10/s" }
    assert_selector ".summary [data-definition-target=clients]", exact_text: "8"
    assert_field "Name", with: "Typed by hand"
  end

  test "a scenario shows its settings, keeps shared ones" do
    within_group(0) do
      fill_in "Rate", with: "75/s"
      assert_no_field "Public queues"

      select "PublicQueueConsumer", from: "Scenario"
      assert_text "Dequeues messages of public queues, highest priority first."
      assert_field "Public queues"
      assert_no_field "Message size"
      assert_field "Rate", with: "75/s"
    end
  end

  test "mistakes are linked, and fields are kept" do
    fill_in "Name", with: "With a mistake"
    within_group(0) { fill_in "Message size", with: "2000000" }
    click_button "Launch", match: :first

    assert_text "1 thing to correct before launch"
    click_link "Message size (message.size) must be from 10 B to 1,048,576 B", exact: false, match: :first
    assert_field "Message size", with: "2000000"
    assert_field "Name", with: "With a mistake"
    within_group(0) { fill_in "Message size", with: "200" }
    click_button "Save draft"

    assert_text "Draft saved."
    assert_equal({ "message.size" => "200" }, TestRun.draft.sole.client_groups.sole.settings)
  end

  test "Enter launches nothing, mistakes disappear" do
    fill_in "Name", with: "With a mistake"
    within_group(0) { fill_in "Message size", with: "2000000" }
    find_field("Name").send_keys :enter
    within_group(0) { fill_in "Rate", with: "75/s" }
    within("#estimate") { assert_text "Offered load 75.0 /s", normalize_ws: true }
    assert_empty TestRun.all

    click_button "Launch", match: :first
    assert_selector "[aria-invalid]" # the response to the launch: the estimate has told the mistake before
    assert_selector "#mistakes li", count: 1
    within_group(0) { fill_in "Message size", with: "200" }
    assert_no_selector "#mistakes"
    assert_no_selector "[aria-invalid]"
    assert_empty TestRun.all
  end

  test "shows estimate and launch blockers while typing" do
    Provider::Ssh.create! name: "lab", hosts: "127.0.1.1\n127.0.1.2",
      private_key: OpenSSL::PKey::RSA.generate(2048).to_pem
    visit new_test_run_path
    choose "lab"
    within("#estimate") { assert_text "Machines 2", normalize_ws: true }

    within_group(0) { find("[aria-label='More: Machines']").click }
    within "#estimate" do
      assert_text "Machines 3", normalize_ws: true
      assert_text "This draft cannot be launched"
      assert_text "needs 3 hosts"
    end

    assert_no_field "Shared buffers"
    choose "A machine of its own"
    fill_in "Shared buffers", with: "64MB"
    within("#estimate") { assert_text "needs 4 hosts" }
    fill_in "Name", with: "With a database of its own"
    click_button "Save draft"

    assert_text "Draft saved."
    assert_field "Shared buffers", with: "64MB"
    assert_equal({ "shared_buffers" => "64MB" }, TestRun.draft.sole.database_settings)
  end

  test "the Launch button does not move under the pointer" do
    top = -> { evaluate_script("document.querySelector('.summary [name=launch]').getBoundingClientRect().top") }
    within_group(0) { fill_in "Rate", with: "" }
    within("#estimate") { assert_no_text "Offered load" }
    before = top.call
    within_group(0) { fill_in "Rate", with: "75/s" }
    within("#estimate") { assert_text "Offered load" }
    assert_equal before, top.call
  end

  test "on a phone nothing scrolls sideways" do
    page.current_window.resize_to 390, 844
    visit new_test_run_path

    assert_equal 390, evaluate_script("document.documentElement.scrollWidth")
    within(".launchbar") { assert_button "Launch" }
  end

  private
    def within_group(position, &block)
      within(all(".group[data-role=client]", minimum: position + 1)[position], &block)
    end
end
