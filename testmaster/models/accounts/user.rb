class User < ApplicationRecord
  FIRST_EMAIL_ADDRESS = "admin@testmaster.local"

  has_secure_password

  # The token of a link that signs in without the password. It expires after an hour, once it is used, or once the
  # password changes.
  generates_token_for(:sign_in, expires_in: 1.hour) { [ password_salt&.last(10), sign_in_links_used ] }

  include Lister, Removable, Role, SecondFactor

  has_many :sessions, dependent: :delete_all
  has_many :api_tokens, dependent: :delete_all
  has_one :webhook, dependent: :destroy

  normalizes :email_address, with: ->(address) { address.strip.downcase }

  after_update :revoke_tokens, if: :saved_change_to_password_digest?

  validates :email_address, presence: true, uniqueness: true, length: { maximum: 200 },
    format: { with: URI::MailTo::EMAIL_REGEXP, message: "is not an address like name@example.org", allow_blank: true }
  validates :password, length: { minimum: 12, message: "needs at least %{count} characters" }, allow_nil: true

  validate :address_is_not_invited, on: :update, if: -> { email_address_changed? && !removed_at? }

  # Creates the first account for bin/setup; returns nil if an account exists. Its password can be read only here.
  def self.create_first!
    create!(email_address: FIRST_EMAIL_ADDRESS, password: SecureRandom.base58(20), role: "administrator") if none?
  end

  # The link works once: only its first user is signed in.
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
    # An address that was invited is reserved for the person who accepts the invitation.
    def address_is_not_invited
      errors.add :email_address, "is invited: choose another one" if
        Invitation.alive.exists?(email_address: email_address)
    end

    # A person who knew the old password may have created them. Programs on this machine get a new token.
    def revoke_tokens
      api_tokens.delete_all
      LocalAccess.renew
    end
end
