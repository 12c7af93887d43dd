require "test_helper"

class InvitationTest < ActiveSupport::TestCase
  PASSWORD = "a long enough secret"

  setup do
    @invitation = Invitation.create! email_address: "boss@example.org", role: "administrator",
      inviter: users(:administrator)
  end

  test "an existing account keeps its role and password" do
    viewer = users(:viewer)
    viewer.sessions.create!
    viewer.update_columns email_address: @invitation.email_address

    refused = @invitation.accept(password: PASSWORD)

    assert_equal [ "This address has an account already: sign in, or ask an administrator to remove it first" ],
      refused.errors.full_messages
    assert_equal "viewer", viewer.reload.role
    assert viewer.authenticate("correct horse battery")
    assert_predicate @invitation.reload, :persisted?
  end

  test "an invited address cannot be taken" do
    assert_not users(:viewer).update(email_address: " Boss@example.org")
    assert_equal [ "is invited: choose another one" ], users(:viewer).errors[:email_address]

    @invitation.destroy!
    assert users(:viewer).update(email_address: "boss@example.org")
  end

  test "a removed account returns with its new role only" do
    gone = users(:viewer)
    gone.update! email_address: "gone@example.org"
    assert gone.remove
    gone.sessions.create! # as by a race
    back = Invitation.create!(email_address: "gone@example.org", role: "experimenter", inviter: users(:administrator))
      .accept(password: PASSWORD)

    assert_equal [ gone.id, "experimenter", nil ], [ back.id, back.role, back.removed_at ]
    assert_empty back.sessions.reload
    assert back.authenticate(PASSWORD)
  end
end
