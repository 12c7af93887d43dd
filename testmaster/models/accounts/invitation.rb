# A link with which a person creates an account. It expires after a week, once it is accepted, or once it is withdrawn.
class Invitation < ApplicationRecord
  LIFETIME = 7.days
  TAKEN = "This address has an account already: sign in, or ask an administrator to remove it first"

  include Role

  belongs_to :inviter, class_name: "User", default: -> { Current.user }

  generates_token_for(:acceptance, expires_in: LIFETIME) { updated_at.to_f }

  normalizes :email_address, with: ->(address) { address.strip.downcase }

  validates :email_address, presence: true, length: { maximum: 200 },
    uniqueness: { message: "is invited already. Withdraw that invitation to make another" },
    format: { with: URI::MailTo::EMAIL_REGEXP, message: "is not an address like name@example.org", allow_blank: true }
  validate :nobody_has_an_account, on: :create

  scope :alive, -> { where updated_at: LIFETIME.ago.. }
  scope :ordered, -> { order :created_at, :id }

  def expires_at
    updated_at + LIFETIME
  end

  def expired?
    expires_at.past?
  end

  def token
    generate_token_for :acceptance
  end

  # Returns the new account. It is unsaved and has errors if the password is invalid or the address was taken meanwhile.
  # A removed account is restored without its former data.
  def accept(password:)
    with_lock do
      user = User.find_or_initialize_by(email_address: email_address)
      next user.tap { |it| it.errors.add :base, TAKEN } if user.persisted? && !user.removed_at?

      user.assign_attributes password: password.to_s, role: role, removed_at: nil
      destroy! if user.save
      user
    end
  end

  private
    def nobody_has_an_account
      errors.add :email_address, "has an account already" if User.active.exists?(email_address: email_address)
    end
end
