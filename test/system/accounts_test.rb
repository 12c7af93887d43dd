require "application_system_test_case"

class AccountsTest < ApplicationSystemTestCase
  test "an invited viewer sees runs and launches none" do
    TestRun.from_definition(name: "Watched", provider: "local", brokers: [ { scenario: "Broker" } ],
      clients: [ { scenario: "OneWayClient" } ]).update! creator: users(:experimenter), state: "cancelled",
        launched_at: 1.minute.ago
    sign_in "administrator"
    visit settings_section_path("people")
    fill_in "Invite", with: "ada@example.org"
    select "viewer", from: "as"
    click_button "Create invitation"
    link = find(".secret", text: "/acceptance/new").text

    using_session "ada" do
      visit link
      fill_in "Choose a password", with: "a long enough one"
      click_button "Create account"
      click_link "Watched"
      assert_selector "h1", text: "Watched"
      assert_no_button "Run again"
      visit new_test_run_path
      assert_text "This is for the role experimenter. Your role is viewer"
      assert_equal 403, evaluate_async_script(<<~JS)
        fetch("/test_runs", { method: "POST" }).then((answer) => arguments[0](answer.status))
      JS
    end

    visit settings_section_path("people")
    within("tr", text: "ada@example.org") { click_button "Remove" }
    within("dialog[open]") { click_button "Remove" }
    assert_text "The account ada@example.org is removed."
    using_session "ada" do
      visit test_runs_path
      assert_selector "h1", text: "Sign in to the Testmaster"
    end
    click_link "Audit log"
    assert_selector "tbody tr:first-child", text: /administrator@example.org\s+removed ada@example.org/
  end
end
