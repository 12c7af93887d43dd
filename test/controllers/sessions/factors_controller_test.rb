require "test_helper"

class Sessions::FactorsControllerTest < ActionDispatch::IntegrationTest
  setup do
    @user = users(:experimenter)
    freeze_time
  end

  test "is turned on by a code, and asked for from then on" do
    codes = turn_on

    delete session_path
    sign_in_with_password
    assert_redirected_to new_session_factor_path
    get machines_path
    assert_redirected_to new_session_path, "the password alone signs nobody in"
    get new_session_factor_path
    assert_select "input[autocomplete='one-time-code']"

    post session_factor_path, params: { code: "000000" }
    assert_response :unprocessable_entity
    assert_equal "failed to sign in", AuditEntry.last.action
    travel 30.seconds
    post session_factor_path, params: { code: @totp.now }
    assert_redirected_to machines_path
    get machines_path
    assert_response :success

    assert_equal 10, codes.uniq.size
    assert_no_match codes.first, @user.reload.recovery_digests.join
  end

  test "each code counts once" do
    codes = turn_on
    delete session_path

    sign_in_with_password
    post session_factor_path, params: { code: @totp.now }
    assert_response :unprocessable_entity, "it was used to turn the factor on"
    travel 30.seconds
    post session_factor_path, params: { code: @totp.now }
    assert_response :redirect
    delete session_path
    sign_in_with_password
    post session_factor_path, params: { code: @totp.now }
    assert_response :unprocessable_entity

    post session_factor_path, params: { code: codes.first.upcase }
    assert_redirected_to root_path
    delete session_path
    sign_in_with_password
    post session_factor_path, params: { code: codes.first }
    assert_response :unprocessable_entity
    assert_equal 9, @user.reload.recovery_digests.size
  end

  test "the code is asked for five minutes long" do
    turn_on
    delete session_path
    sign_in_with_password
    travel 301.seconds

    post session_factor_path, params: { code: @totp.now }
    assert_redirected_to new_session_path
    get new_session_factor_path
    assert_redirected_to new_session_path
  end

  test "too many attempts at one account are blocked" do
    turn_on
    delete session_path
    sign_in_with_password
    10.times { post session_factor_path, params: { code: "000000" } }

    travel 30.seconds
    post session_factor_path, params: { code: @totp.now }
    assert_equal "Too many attempts. Try again in three minutes.", flash[:alert]
  end

  test "attempts of somebody who knows the password do not lock the owner out" do
    turn_on
    delete session_path
    stranger = open_session
    stranger.host! host
    stranger.post session_path, params: { email_address: @user.email_address, password: "correct horse battery" },
      headers: { "REMOTE_ADDR" => "192.0.2.7" }
    10.times do
      stranger.post session_factor_path, params: { code: "000000" }, headers: { "REMOTE_ADDR" => "192.0.2.7" }
    end

    travel 30.seconds
    sign_in_with_password
    post session_factor_path, params: { code: @totp.now }
    assert_redirected_to root_path
    stranger.post session_factor_path, params: { code: "000000" }, headers: { "REMOTE_ADDR" => "192.0.2.7" }
    stranger.assert_redirected_to new_session_path, "the stranger is blocked"
  end

  test "is turned off with the password, or by the operator" do
    turn_on
    delete settings_factor_path, params: { password: "wrong" }
    follow_redirect!
    assert_predicate @user.reload, :second_factor?
    delete settings_factor_path, params: { password: "correct horse battery" }
    assert_not_predicate @user.reload, :second_factor?
    assert_includes AuditEntry.where(user: @user).pluck(:action), "turned the second factor off"

    delete session_path
    sign_in_with_password
    assert_redirected_to root_path
  end

  test "is not turned on by a wrong code, and signs other browsers out" do
    sign_in_as @user
    get new_settings_factor_path
    assert_select "svg path"
    post settings_factor_path, params: { code: "000000" }
    assert_response :unprocessable_entity
    assert_not_predicate @user.reload, :second_factor?

    @user.sessions.create!(user_agent: "Other", ip_address: "192.0.2.1")
    turn_on
    assert_equal 1, @user.sessions.count
  end

  test "a factor that is on is not replaced by whoever finds an open browser" do
    turn_on
    secret = @user.reload.factor_secret

    get new_settings_factor_path
    assert_redirected_to settings_path
    post settings_factor_path, params: { code: @totp.now }
    assert_redirected_to settings_path
    assert_equal secret, @user.reload.factor_secret
  end

  test "a page that was opened before the factor was turned on elsewhere replaces nothing" do
    sign_in_as @user
    get new_settings_factor_path
    totp = ROTP::TOTP.new(css_select(".secret").text)
    @user.turn_on_second_factor(secret = ROTP::Base32.random, ROTP::TOTP.new(secret).now)

    post settings_factor_path, params: { code: totp.now }
    assert_equal secret, @user.reload.factor_secret
  end

  test "a password that was changed meanwhile signs nobody in" do
    turn_on
    delete session_path
    sign_in_with_password
    @user.reload.update! password: "another horse battery"

    travel 30.seconds
    post session_factor_path, params: { code: @totp.now }
    assert_redirected_to new_session_path
    get machines_path
    assert_redirected_to new_session_path
  end

  test "an account that is restored after its removal has no factor" do
    turn_on
    assert @user.reload.remove

    assert_not_predicate @user.reload, :second_factor?
    assert_empty @user.recovery_digests
  end

  private
    # Returns the recovery codes.
    def turn_on
      sign_in_as @user
      get new_settings_factor_path
      @totp = ROTP::TOTP.new(css_select(".secret").text)
      post settings_factor_path, params: { code: @totp.now }
      assert_response :success
      css_select(".secret").text.split
    end

    def sign_in_with_password
      post session_path, params: { email_address: @user.email_address, password: "correct horse battery" }
    end
end
