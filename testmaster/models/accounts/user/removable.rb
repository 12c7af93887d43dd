# A removed account can do nothing any more. Its name stays with the runs that it created.
module User::Removable
  extend ActiveSupport::Concern

  included do
    scope :active, -> { where removed_at: nil }
    scope :administrators, -> { active.where role: "administrator" }

    before_update -> { sessions.delete_all }, if: :removed_at_changed? # whoever comes back is somebody new

    validate :one_administrator_stays, on: :update,
      if: -> { will_save_change_to_removed_at? || will_save_change_to_role? }
    # The token of this machine's programs may belong to this account.
    after_update_commit -> { LocalAccess.renew }, if: -> { saved_change_to_removed_at? || saved_change_to_role? }
    after_update_commit :disconnect,
      if: -> { saved_change_to_removed_at? || saved_change_to_role? || saved_change_to_password_digest? }
  end

  # Returns false, with the reason among the errors, if no other account could assign roles.
  def remove
    transaction do
      User.lock.administrators.order(:id).ids
      update(removed_at: Time.current) && [ sessions, api_tokens ].each(&:delete_all).any? &&
        (webhook.nil? || webhook.destroy!)
    end
  end

  def change_role(role)
    transaction do
      User.lock.administrators.order(:id).ids
      update role: role
    end
  end

  # Open pages of the account receive no more updates.
  def disconnect
    ActionCable.server.remote_connections.where(current_user: self).disconnect
  end

  private
    def one_administrator_stays
      if (removed_at? || !may?(:administrator)) && User.administrators.where.not(id: self).none?
        errors.add :base, "#{email_address_in_database} is the only administrator. Make another account one first."
      end
    end
end
