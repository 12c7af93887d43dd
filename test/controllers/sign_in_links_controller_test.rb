require "test_helper"

class SignInLinksControllerTest < ActionDispatch::IntegrationTest
  setup { @token = users(:experimenter).sign_in_token }

  test "the link signs in without the password" do
    get sign_in_link_path(token: @token)
    assert_redirected_to root_path

    get settings_path
    assert_response :success
  end

  test "the link is void after an hour or a new password" do
    travel_to(61.minutes.from_now) { get sign_in_link_path(token: @token) }
    assert_redirected_to new_session_path

    users(:experimenter).update! password: "another horse battery"
    get sign_in_link_path(token: @token)
    assert_redirected_to new_session_path
    assert_equal "This link is no longer valid. Sign in with the password.", flash[:alert]
  end

  test "the link signs in once" do
    2.times { sign_out; get sign_in_link_path(token: @token) }

    assert_redirected_to new_session_path
    assert_equal "This link is no longer valid. Sign in with the password.", flash[:alert]
  end

  test "the token does not reach the logs" do
    get sign_in_link_path(token: @token)
    assert_no_match @token, request.filtered_path
  end
end
