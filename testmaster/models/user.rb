class User < ApplicationRecord
  FIRST_EMAIL_ADDRESS = "admin@testmaster.local"

  has_secure_password

  # For a link that signs in without the password: void after an hour, or once the password has changed.
  generates_token_for(:sign_in, expires_in: 1.hour) { password_salt&.last(10) }

  has_many :sessions, dependent: :delete_all
  has_many :api_tokens, dependent: :delete_all

  normalizes :email_address, with: ->(address) { address.strip.downcase }

  validates :email_address, presence: true, uniqueness: true,
    format: { with: URI::MailTo::EMAIL_REGEXP, message: "is not an address like name@example.org", allow_blank: true }
  validates :password, length: { minimum: 12, message: "needs at least %{count} characters" }, allow_nil: true

  # The account that bin/setup makes where there is none; nil where there is one already. Its password can be read only here.
  def self.create_first!
    create!(email_address: FIRST_EMAIL_ADDRESS, password: SecureRandom.base58(20)) if none?
  end

  def sign_in_token
    generate_token_for :sign_in
  end
end
