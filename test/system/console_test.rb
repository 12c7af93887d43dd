require "application_system_test_case"

class ConsoleTest < ApplicationSystemTestCase
  include MessageDatabaseHelper

  test "the console refreshes and requeues dead letters" do
    address = address_of(inside = make_message_database)
    inside.exec "CALL fill(3, 300, 2, 200)"
    inside.exec "INSERT INTO broker (name, tables) SELECT '10.0.0.1:8100', version FROM schema_version"
    queue = inside.exec("SELECT id FROM queue WHERE name = 'queue1'").getvalue(0, 0)
    inside.exec "UPDATE message SET queue_id = dead_letter_queue(#{queue}) WHERE queue_id = #{queue} AND id % 2 = 0"
    inside.exec "UPDATE queue_length l SET messages = (SELECT count(*) FROM message m WHERE m.queue_id = l.queue_id)"

    sign_in "administrator"
    visit new_settings_message_database_path
    fill_in "Name", with: "Lab"
    fill_in "Address", with: address
    click_button "Save and check"
    assert_text "Lab is saved"
    click_link "Console"
    click_link "Lab"
    assert_selector ".figure", text: /Messages\s*300/

    inside.exec "UPDATE queue_length SET messages = messages + 1000 WHERE queue_id = #{queue}"
    execute_script "document.querySelector('#console').unseen = true"
    click_link "Read now"
    assert_selector ".figure", text: /Messages\s*1,300/
    inside.exec "UPDATE queue_length SET messages = messages - 1000 WHERE queue_id = #{queue}"
    check "Every 5 s"
    assert_selector ".figure", text: /Messages\s*300/
    inside.exec "UPDATE broker SET heartbeat = heartbeat + 5"
    inside.exec "UPDATE queue_length SET messages = messages + 7 WHERE queue_id = #{queue}"
    assert_selector ".figure", text: /Messages\s*307/
    assert evaluate_script("document.querySelector('#console').unseen"), "the frame is morphed, not replaced"
    uncheck "Every 5 s"

    click_link "Queues"
    fill_in "Queues whose name begins with", with: "queue1\n"
    assert_selector "tbody tr", count: 2
    click_link "queue1.dead"
    assert_selector "h1", text: "Queue queue1.dead"
    click_link number_of_first_message
    assert_selector "pre.content", text: /\Amessage/
    click_link "Hex"
    assert_selector "pre.content", text: /\A0000  6d/
    page.go_back
    page.go_back
    click_button "Return dead letters …"
    within("dialog[open]") { click_button "Return them" }
    assert_text "It continues if you leave this page"
    QueueChange.last.perform
    click_link "Read now"
    assert_selector "li", text: /Returning dead letters: 50 returned/
    assert_selector ".figure", text: /Length\s*0/
  end

  private
    def number_of_first_message
      find("tbody tr:first-child th a").text
    end
end
