require "test_helper"

class ConsolesControllerTest < ActionDispatch::IntegrationTest
  include MessageDatabaseHelper, ActiveJob::TestHelper

  BEARER = { "Authorization" => "Bearer tm_a_token_of_the_tests" }

  setup do
    @entry = message_database
    @inside = inside(@entry)
    @inside.exec "CALL fill(3, 180, 60, 20)"
    @inside.exec "INSERT INTO broker (name, heartbeat, tables) SELECT '10.0.0.1:8100', 7, version FROM schema_version"
    @inside.exec "UPDATE client SET broker_id = (SELECT id FROM broker) WHERE name = 'client1'"
    @queue = @inside.exec("SELECT id FROM queue WHERE name = 'queue1'").getvalue(0, 0).to_i
  end

  test "shows topics and their subscriptions" do
    sign_in_as users(:viewer)
    get message_database_console_topics_path(@entry)
    assert_select "p", "No topics."
    @inside.exec "INSERT INTO topic (name, account) VALUES ('prices', 'ada'), ('news', '')"
    @inside.exec "SELECT subscribe(1, 'all', '', 0, '', 10, 1000, 0), " \
      "subscribe(1, 'cheap', 'price < 5 AND name <> ''<b>''', (SELECT min(id) FROM client), '', 10, 1000, 0)"

    get message_database_console_topics_path(@entry)
    assert_equal %w[ news prices ], css_select("tbody th").map { |cell| cell.text.strip }
    get message_database_console_topics_path(@entry, prefix: "pr")
    get css_select("tbody th a").first["href"]
    assert_select "h1", "Topic prices"
    assert_equal %w[ all cheap ], css_select("tbody th").map { |cell| cell.text.strip }
    assert_select "code", "price < 5 AND name <> '<b>'"
    assert_select "td", "durable"
    get css_select("tbody th a").first["href"]
    assert_select "h1", /prices\/all/

    get message_database_console_topic_path(@entry, 99)
    assert_response :not_found
    get message_database_console_topics_path(@entry, format: :json)
    assert_equal [ 0, 2 ], response.parsed_body["topics"].pluck("subscriptions")
  end

  test "lists subscriptions in pages" do
    sign_in_as users(:viewer)
    @inside.exec "INSERT INTO topic (name, account) VALUES ('prices', '')"
    @inside.exec "SELECT subscribe(1, 'of-' || n, '', 0, '', 100, 1000, 0) FROM generate_series(10, 69) n"

    get message_database_console_topic_path(@entry, 1)
    assert_select "tbody tr", 50
    get css_select("a[rel=next]").first["href"]
    assert_select "tbody tr", 10
  end

  test "tells delayed messages from leased ones" do
    sign_in_as users(:viewer)
    @inside.exec "INSERT INTO lease SELECT id, 0, 1, queue_id, 0, 1, 5, d, '', d, now() + interval '1 min' " \
      "FROM (SELECT id, queue_id, row_number() OVER () - 1 AS d FROM message LIMIT 2) m"

    get message_database_console_messages_path(@entry, place: "leased")
    assert_equal %w[ delayed leased ], css_select("tbody th .unit").map { |unit| unit.text.strip }.sort
    get css_select("tbody th a").first["href"]
    assert_select "dt", "Delayed"
  end

  test "shows the limits of a queue" do
    sign_in_as users(:viewer)
    get message_database_console_queue_path(@entry, @queue)
    assert_select ".meta span", text: /Limits/, count: 0
    @inside.exec "INSERT INTO queue_limit VALUES (#{@queue}, 500, 65536 * 1024, true, 604800000, 5, 1500, 60000)"

    get message_database_console_queue_path(@entry, @queue)
    assert_select ".meta span", "Limits: 500 messages, 64 MB, drops the oldest, age 7 d, 5 attempts, " \
      "backoff 1.5 s to 1 min"
    get message_database_console_queue_path(@entry, @queue, format: :json)
    assert_match(/\A500 messages/, response.parsed_body.dig("queue", "limits"))
  end

  test "a viewer reads all pages and takes nothing" do
    sign_in_as users(:viewer)
    get message_databases_path
    assert_select "a[href='#{message_database_console_path(@entry)}']", @entry.name
    assert_no_match Regexp.escape(URI.parse(@entry.address).password.to_s + "@"), response.body

    get message_database_console_path(@entry)
    assert_select ".figure__value", "180"
    assert_select "turbo-frame#console[refresh=morph]"
    assert_select "td.num", text: "60"
    get message_database_console_queues_path(@entry)
    assert_select "tbody tr", 50
    get css_select("a[rel=next]").first["href"]
    assert_select "tbody tr", 13
    get message_database_console_queues_path(@entry, prefix: "queue", sort: "name", kind: "public")
    assert_equal %w[ queue1 queue2 queue3 ], css_select("tbody th a").map(&:text)
    get message_database_console_clients_path(@entry, online: "yes")
    assert_select "tbody tr", 1
    get message_database_console_clients_path(@entry)
    assert_select "a[rel=next]"
    get message_database_console_brokers_path(@entry)
    assert_select "tbody th", /10.0.0.1:8100/
    get message_database_console_messages_path(@entry, queue_id: @queue, sender: "' OR true --")
    assert_select "p", "No such messages."
    get message_database_console_messages_path(@entry, queue: "queue1")
    assert_select "tbody tr", 50
    message = css_select("tbody th a").first["href"]
    get message
    assert_select "pre.content", /\Amessage \d+\.+\z/
    get "#{message}?as=hex"
    assert_select "pre.content", /\A0000  6d 65 73 73/
    get message_database_console_queue_path(@entry, @queue)
    assert_select "h1", "Queue queue1"
    assert_select "dialog#emptying, section[aria-label='What can be changed']", false

    @inside.exec "DELETE FROM message"
    get message
    assert_response :not_found
    assert_select "h1", "This message is no longer here"
    assert_equal [ [ "180", "7" ] ],
      @inside.exec("SELECT sum(messages), max(heartbeat) FROM queue_length, broker").values
  end

  test "JSON has the same, with gaps" do
    get message_database_console_path(@entry, format: :json), headers: BEARER
    assert_equal [ 180, {} ], [ response.parsed_body.dig("figures", "messages"), response.parsed_body["gaps"] ]

    get message_database_console_messages_path(@entry, queue_id: @queue, format: :json), headers: BEARER
    assert_equal 50, response.parsed_body["messages"].size
    get message_database_console_messages_path(@entry, queue_id: @queue, after: response.parsed_body["after"],
      format: :json), headers: BEARER
    assert_equal 10, response.parsed_body["messages"].size
    position = response.parsed_body["messages"].first["position"]
    get message_database_console_message_path(@entry, position, format: :json), headers: BEARER
    assert_match(/\Amessage \d+/, response.parsed_body["text"])
    %w[ queues clients brokers ].each do |part|
      get "#{message_database_console_path(@entry)}/#{part}.json", headers: BEARER
      assert_predicate response.parsed_body[part], :present?
    end

    @inside.exec "UPDATE schema_version SET version = 2"
    get message_database_console_path(@entry, format: :json), headers: BEARER
    assert_match "version 2; the console reads version #{System::Mlmq::Questions::VERSION}",
      response.parsed_body.dig("gaps", "tables")
    get message_database_console_queue_path(@entry, @queue, format: :json), headers: BEARER
    assert_response :success
  end

  test "shows rates in and out from the second read on" do
    get message_database_console_queues_path(@entry, format: :json), headers: BEARER
    assert_equal({ "growth" => nil, "in" => nil, "out" => nil },
      response.parsed_body["queues"].first.slice("growth", "in", "out"))

    key = "console of MessageDatabase #{@entry.id}"
    Rails.cache.write key, Rails.cache.read(key).map { |look| look.merge(ms: look[:ms] - 10_000) }
    @inside.exec "UPDATE queue_length SET messages = messages + 10, gained = gained + 12000 WHERE queue_id = #{@queue}"
    get message_database_console_queue_path(@entry, @queue, format: :json), headers: BEARER
    queue = response.parsed_body["queue"]
    assert_operator queue.dig("out", "per_second"), :>, 0
    assert_equal queue.dig("in", "seconds"), queue.dig("out", "seconds")

    sign_in_as users(:viewer)
    get message_database_console_queues_path(@entry)
    assert_equal %w[ In Out Growth ], css_select("thead th").map(&:text)[3, 3]
    assert_select "p", /rates over the last \d+\.\d s/
    assert_select "tbody tr:first-child td:nth-child(4)", %r{\A[\d,.]+[[:space:]]/s\z}
    get message_database_console_queue_path(@entry, @queue)
    assert_select ".figure", %r{In\s*[\d,.]+[[:space:]]/s\s*sent or\s+requeued, over the last}
    assert_select ".figure", %r{Out\s*[\d,.]+[[:space:]]/s\s*dequeued or\s+leased, over the last}
  end

  test "an invalid filter is named" do
    { queue_id: "x", context: "0", priority: 11, place: "moon", sender: "x" * 500 }.each do |name, value|
      get message_database_console_messages_path(@entry, name => value, format: :json), headers: BEARER
      assert_response :unprocessable_entity
      assert_match(/\A#{name} must be/, response.parsed_body["errors"].first)
    end
    get message_database_console_messages_path(@entry, queue: { a: 1 }, format: :json), headers: BEARER
    assert_response :unprocessable_entity
  end

  test "only administrators empty a queue" do
    path = message_database_console_queue_changes_path(@entry, @queue)
    %i[ viewer experimenter ].each do |role|
      sign_in_as users(role)
      assert_no_difference(-> { QueueChange.count }) { post path, params: { change: { kind: "emptying" } } }
      assert_response :forbidden
      get new_settings_message_database_path
      assert_response :forbidden
      sign_out
    end

    sign_in_as users(:administrator)
    get message_database_console_queue_path(@entry, @queue)
    assert_select "dialog#emptying dd", /About 60 messages, and those sent until you confirm/
    perform_enqueued_jobs { post path, params: { change: { kind: "emptying" } } }
    follow_redirect!
    assert_select ".checks li", /Emptying: 60 deleted, about 60 at the beginning/
    assert_select ".figure__value", "0"
    assert_equal [ "began", "emptying of queue queue1 of message database Lab" ],
      AuditEntry.last.values_at(:action, :subject)

    post path, params: { change: { kind: "return" } }
    assert_match "does not hold dead letters", flash[:alert]
    post path, params: { change: { kind: "explosion" } }, as: :json
    assert_response :unprocessable_entity
    change = @entry.queue_changes.create!(kind: "emptying", queue_id: @queue)
    delete message_database_console_queue_change_path(@entry, @queue, change)
    assert_predicate change.reload.cancelled_at, :present?
  end

  test "an entry is added, changed and removed" do
    sign_in_as users(:administrator)
    post settings_message_databases_path, params: { message_database: { name: "Far",
      shown_address: "postgresql://u:secret@127.0.0.1:1/x" } }
    assert_response :unprocessable_entity
    assert_select ".error", /cannot be used/i
    assert_no_match "secret", response.body

    get edit_settings_message_database_path(@entry)
    shown = css_select("#message_database_shown_address").first["value"]
    patch settings_message_database_path(@entry), params: { message_database: { name: "Labor", shown_address: shown } }
    assert_redirected_to settings_section_path("databases")
    assert_equal [ "Labor", @entry.address ], @entry.reload.values_at(:name, :address)
    delete settings_message_database_path(@entry)
    assert_empty MessageDatabase.all
  end

  test "the console of a run needs its database" do
    run = test_runs(:running)
    sign_in_as users(:experimenter)
    get test_run_console_path(run)
    assert_response :not_found
    assert_select "h1", "Run #{run.id} has no database now"
    get test_run_console_path(run, format: :json)
    assert_response :not_found

    make_database_of run, @inside
    get message_databases_path
    assert_select "a[href='#{test_run_console_path(run)}']"
    get test_run_path(run)
    assert_select "a[href='#{test_run_console_path(run)}']", "Console"
    get test_run_console_path(run)
    assert_select "h1", "Database of run #{run.id}"
    assert_select ".figure__value", "180"
    perform_enqueued_jobs do
      post test_run_console_queue_changes_path(run, @queue), params: { change: { kind: "deletion" } }
    end
    assert_match(/experimenter@example.org: deleted queue1/, run.events.last.message)
    assert_equal run, AuditEntry.last.test_run
    get test_run_console_queue_path(run, @queue)
    assert_response :not_found
    assert_select ".note", "There is no such queue. It may have been deleted."
    assert_select ".checks li", /Deletion/

    redefine run, keep_database: true
    run.update_columns state: "finished", ended_at: 91.days.ago
    run.record_event :database_dropped, "The database was dropped, as it was kept for 90 days"
    get test_run_console_path(run)
    assert_response :not_found
    assert_select "p", /was dropped, as it was kept for 90 days, just now. In the zip, database.csv/
    get message_databases_path
    assert_select "a[href='#{test_run_console_path(run)}']", false
  end
end
