require "test_helper"

class UserTest < ActiveSupport::TestCase
  test "there is a first account only where there is none" do
    assert_nil User.create_first!

    Session.delete_all
    ApiToken.delete_all
    TestRun.update_all creator_id: User.create!(email_address: "other@example.org", password: "a long password").id
    assert_predicate User.find_by(email_address: "other@example.org"), :persisted?
  end

  test "passwords are long and addresses are addresses" do
    user = User.new(email_address: "nobody", password: "short")

    assert_not user.valid?
    assert_equal [ "is not an address like name@example.org" ], user.errors[:email_address]
    assert_equal [ "needs at least 12 characters" ], user.errors[:password]
  end
end
