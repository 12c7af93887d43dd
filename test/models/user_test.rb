require "test_helper"

class UserTest < ActiveSupport::TestCase
  test "creates a first account only where there is none" do
    assert_nil User.create_first!

    User.connection.execute "TRUNCATE users CASCADE"
    user = User.create_first!

    assert_equal user, User.authenticate_by(email_address: User::FIRST_EMAIL_ADDRESS, password: user.password)
    assert_nil User.create_first!
  end

  test "validates passwords and addresses" do
    user = User.new(email_address: "nobody", password: "short")

    assert_not user.valid?
    assert_equal [ "is not an address like name@example.org" ], user.errors[:email_address]
    assert_equal [ "needs at least 12 characters" ], user.errors[:password]
  end
end
