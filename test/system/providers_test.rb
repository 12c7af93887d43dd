require "application_system_test_case"

class ProvidersTest < ApplicationSystemTestCase
  include LoopbackHostsHelper

  test "a provider is added, checked, its key forgotten" do
    sign_in "administrator"
    visit settings_section_path("providers")
    click_link "Add SSH"
    assert_selector "h1", text: "New SSH provider" # the page before it has a "Name of a new token"
    fill_in "Name", with: "lab"
    fill_in "Hosts", with: "#{loopback_hosts.hosts.first}\n#{loopback_hosts.hosts.second.address}:1"
    fill_in "Private key", with: File.read(loopback_hosts.client_key_path)
    click_button "Save"

    within("tr", text: "lab") { click_button "Check" }
    within "#findings" do
      assert_selector "li", text: /#{Regexp.escape loopback_hosts.hosts.first.to_s} \d+ CPUs/, wait: 30
      assert_selector "li", text: "refuses connections"
      assert_selector ".hint", text: "Start sshd there"
    end

    within("tr", text: "lab") { click_link "Change" }
    assert_selector "#host-keys tr", text: "SHA256:", count: 1
    click_button "Forget"
    assert_selector "dialog[open] p", text: "is trusted and kept in its place"
    send_keys :escape
    assert_selector ".host-keys tbody tr"
    click_button "Forget"
    within("dialog[open]") { click_button "Forget" }
    assert_text "is forgotten"
    assert_text "None yet"
    assert_empty Provider::HostKey.all
  end
end
