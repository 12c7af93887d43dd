require "test_helper"
require_relative "../support/input_fuzz"

# A small part of test/campaigns/inputs; the seed of the tests selects it.
class InputsTest < ActionDispatch::IntegrationTest
  test "each invalid input is refused by name or accepted" do
    user = users(:administrator).tap { |it| it.update! email_address: "fuzz@example.org", password: InputFuzz::PASSWORD }
    sign_in_as user
    fuzz = InputFuzz.new(self, user: user, test_run: test_runs(:running), random: Random.new(Minitest.seed))
    fuzz.cases.reject { |it| it.kind.start_with?("a million") || it.target.name == "provider ec2" }
      .first(30).each { |it| fuzz.try it }

    assert_empty fuzz.complaints
    assert_equal 30, fuzz.answers.values.sum
  end
end
