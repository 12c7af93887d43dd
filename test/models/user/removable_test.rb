require "test_helper"
require "minitest/mock"

class User::RemovableTest < ActiveSupport::TestCase
  test "a removed account's sessions and tokens are void" do
    viewer = users(:viewer)
    assert viewer.remove
    session, token = viewer.sessions.create!, viewer.api_tokens.create!(name: "Late", role: "viewer")

    assert_empty Session.alive.where(id: session)
    assert_nil ApiToken.find_by_secret(token.secret)
  end

  test "local programs keep access when their account goes" do
    second = User.create!(email_address: "second@example.org", password: "a long enough secret", role: "administrator")
    LocalAccess.stub :file, Pathname(Dir.mktmpdir).join("access.json") do
      LocalAccess.grant "http://127.0.0.1:1"
      assert_equal users(:administrator), holder

      assert users(:administrator).change_role("viewer")
      assert_equal second, holder
      assert users(:administrator).reload.change_role("administrator")
      LocalAccess.grant "http://127.0.0.1:1"
      assert User.administrators.order(:id).first.remove
      assert_equal [ "administrator", true ], holder.then { |it| [ it.role, User.active.include?(it) ] }
    ensure
      LocalAccess.file.dirname.rmtree
    end
  end

  private
    def holder
      ApiToken.find_by_secret(JSON.parse(LocalAccess.file.read).fetch("token"))&.user
    end
end
