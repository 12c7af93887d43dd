require "test_helper"

class SessionsControllerTest < ActionDispatch::IntegrationTest
  test "pages ask for the password, then lead back" do
    get machines_path
    assert_redirected_to new_session_path

    post session_path, params: { email_address: "Experimenter@example.org ", password: "correct horse battery" }
    assert_redirected_to machines_path
  end

  test "a wrong password is refused with a message" do
    assert_no_difference -> { Session.count } do
      post session_path, params: { email_address: "experimenter@example.org", password: "wrong" }
    end

    assert_response :unprocessable_entity
    assert_select "[role=alert]", "The address or the password is not right."
    assert_select "input[name=email_address][value=?]", "experimenter@example.org"
  end

  test "a session whose account vanishes meanwhile is void" do
    leaving = User.create!(email_address: "leaving@example.org", password: "correct horse battery", role: "viewer")
    sign_in_as leaving
    found = ActiveSupport::Notifications.subscribe("sql.active_record") do |event|
      next unless event.payload[:sql].match?(/SELECT .* FROM "sessions"/)
      AuditEntry.where(user: leaving).delete_all
      leaving.destroy
    end

    get machines_path
    assert_redirected_to new_session_path
  ensure
    ActiveSupport::Notifications.unsubscribe found
  end

  test "too many attempts from one address are blocked" do
    10.times { post session_path, params: { email_address: "experimenter@example.org", password: "wrong" } }
    post session_path, params: { email_address: "experimenter@example.org", password: "correct horse battery" }

    assert_redirected_to new_session_path
    assert_equal "Too many attempts. Try again in three minutes.", flash[:alert]
  end

  test "forged addresses do not avoid the block" do
    10.times do |n|
      post session_path, params: { email_address: "someone_#{n}@example.org", password: "wrong" },
        headers: { "X-Forwarded-For" => "203.0.113.#{n}", "Client-Ip" => "203.0.113.#{n}" }
    end
    post session_path, params: { email_address: "experimenter@example.org", password: "correct horse battery" },
      headers: { "X-Forwarded-For" => "203.0.113.99" }

    assert_equal "Too many attempts. Try again in three minutes.", flash[:alert]
  end

  test "too many attempts at one account are blocked" do
    10.times do |n|
      post session_path, params: { email_address: "Experimenter@example.org", password: "wrong" },
        env: { "REMOTE_ADDR" => "203.0.113.#{n}" }
    end
    post session_path, params: { email_address: "experimenter@example.org ", password: "correct horse battery" },
      env: { "REMOTE_ADDR" => "203.0.113.99" }

    assert_equal "Too many attempts. Try again in three minutes.", flash[:alert]
  end

  test "a block spares known browsers and is audited" do
    sign_in_as users(:experimenter)
    sign_out
    known = cookies.to_hash
    reset!
    11.times do |n|
      post session_path, params: { email_address: "experimenter@example.org", password: "wrong" },
        env: { "REMOTE_ADDR" => "203.0.113.#{n}" }
    end
    assert_equal "Too many attempts. Try again in three minutes.", flash[:alert]
    entries = AuditEntry.where(action: "failed to sign in")
    assert_equal [ 10, "experimenter@example.org", "203.0.113.9" ],
      [ entries.count, entries.last.who, entries.last.ip_address ]

    known.each { |name, value| cookies[name] = value }
    post session_path, params: { email_address: "experimenter@example.org", password: "correct horse battery" },
      env: { "REMOTE_ADDR" => "203.0.113.99" }
    assert_redirected_to root_path
    post session_path, params: { email_address: "viewer@example.org", password: "wrong" }
    assert_response :unprocessable_entity
  end

  test "a session ends after thirty days" do
    post session_path, params: { email_address: "experimenter@example.org", password: "correct horse battery" }
    expires = Array(response.headers["Set-Cookie"]).join("\n")[/session_id=.*?expires=([^;]+)/, 1]
    assert_in_delta 30.days.from_now, Time.parse(expires), 1.hour

    users(:experimenter).sessions.update_all created_at: 31.days.ago
    get root_path
    assert_redirected_to new_session_path
  end

  test "malformed credentials are refused" do
    [ {}, { email_address: [ "a" ], password: { a: 1 } },
      { email_address: "a" * 100_000, password: "b" * 100_000 } ].each do |params|
      post session_path, params: params
      assert_response :unprocessable_entity
    end
  end

  test "signing out ends the session" do
    sign_in_as users(:experimenter)
    assert_difference -> { Session.count }, -1 do
      sign_out
    end

    get root_path
    assert_redirected_to new_session_path
  end

  test "a session deleted elsewhere is over" do
    sign_in_as users(:experimenter)
    users(:experimenter).sessions.delete_all

    get root_path
    assert_redirected_to new_session_path

    post test_run_cancellation_path(test_runs(:running)),
      headers: { "Accept" => "text/vnd.turbo-stream.html, text/html, application/xhtml+xml" }
    assert_redirected_to new_session_path
    assert_match "not done", flash[:alert]
    assert_not test_runs(:running).reload.cancelling?
  end

  test "a form of an ended session leads to the sign-in" do
    ActionController::Base.allow_forgery_protection = true
    post test_run_cancellation_path(test_runs(:running)), params: { authenticity_token: "of another session" }

    assert_redirected_to new_session_path
    assert_not test_runs(:running).reload.cancelling?
  ensure
    ActionController::Base.allow_forgery_protection = false
  end
end
