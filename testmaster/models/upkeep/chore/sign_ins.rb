# Deletes expired sessions, tokens and invitations.
class Chore::SignIns < Chore
  self.title, self.thing = "Sessions, tokens and invitations that have ended", "rows"
  self.words = "They are deleted this many days after they ended."
  self.tables = %w[ sessions api_tokens invitations ]
  self.usual_days = 30

  private
    def clear
      delete_rows Session.where(created_at: ..(limit - Session::LIFETIME))
      delete_rows ApiToken.where(expires_at: ..limit)
      delete_rows Invitation.where(updated_at: ..(limit - Invitation::LIFETIME))
    end
end
