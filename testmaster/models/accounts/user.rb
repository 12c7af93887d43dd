class User < ApplicationRecord
  FIRST_EMAIL_ADDRESS = "admin@testmaster.local"

  has_secure_password

  # For a link that signs in without the password: void after an hour, once it was used, or once the password has
  # changed.
  generates_token_for(:sign_in, expires_in: 1.hour) { [ password_salt&.last(10), sign_in_links_used ] }

  include Lister, Removable, Role

  has_many :sessions, dependent: :delete_all
  has_many :api_tokens, dependent: :delete_all
  has_one :webhook, dependent: :destroy

  normalizes :email_address, with: ->(address) { address.strip.downcase }

  after_update :revoke_tokens, if: :saved_change_to_password_digest?

  validates :email_address, presence: true, uniqueness: true, length: { maximum: 200 },
    format: { with: URI::MailTo::EMAIL_REGEXP, message: "is not an address like name@example.org", allow_blank: true }
  validates :password, length: { minimum: 12, message: "needs at least %{count} characters" }, allow_nil: true

  validate :address_is_not_invited, on: :update, if: -> { email_address_changed? && !removed_at? }

  # The account that bin/setup makes where there is none; nil where there is one already. Its password can be read only
  # here.
  def self.create_first!
    create!(email_address: FIRST_EMAIL_ADDRESS, password: SecureRandom.base58(20), role: "administrator") if none?
  end

  # The one who comes first with a link is signed in, and nobody after that.
  def self.find_by_sign_in_link(token)
    user = active.find_by_token_for(:sign_in, token)
    user if user &&
      where(id: user,
        sign_in_links_used: user.sign_in_links_used).update_all("sign_in_links_used = sign_in_links_used + 1") == 1
  end

  def sign_in_token
    generate_token_for :sign_in
  end

  private
    # Whoever accepts the invitation is to have it.
    def address_is_not_invited
      errors.add :email_address, "is invited: choose another one" if
        Invitation.alive.exists?(email_address: email_address)
    end

    # Whoever had the old password may have made them. Programs on this machine get a new one.
    def revoke_tokens
      api_tokens.delete_all
      LocalAccess.renew
    end
end
