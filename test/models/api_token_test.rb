require "test_helper"

class ApiTokenTest < ActiveSupport::TestCase
  test "shows the secret once and stores only its digest" do
    token = users(:experimenter).api_tokens.create!(name: "CI")

    assert_equal token, ApiToken.find_by_secret(token.secret)
    assert_nil ApiToken.find(token.id).secret
    assert_not_includes token.attributes.values, token.secret
  end
end
