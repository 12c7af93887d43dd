# A secret that authenticates its user in the JSON API until it expires. Only its digest is stored: the secret can be
# read once, when the token is created.
class ApiToken < ApplicationRecord
  LIFETIMES = { "30 days" => 30.days, "90 days" => 90.days, "a year" => 1.year }
  LIFETIME = LIFETIMES.fetch("90 days")

  include Role

  belongs_to :user

  attribute :expires_at, default: -> { LIFETIME.from_now }

  attr_reader :secret

  validates :name, presence: true, length: { maximum: 100 }
  validates :expires_at, comparison: { less_than: -> { 1.year.from_now + 1.day }, message: "must be within a year" }
  validate :no_more_than_its_account_may, on: :create, if: :user

  before_validation :make_secret, on: :create

  scope :ordered, -> { order :name, :id }

  class << self
    def find_by_secret(secret)
      where(expires_at: Time.current.., user_id: User.active.select(:id)).find_by digest: digest(secret)
    end

    def digest(secret)
      OpenSSL::Digest::SHA256.hexdigest(secret)
    end
  end

  def expired?
    expires_at.past?
  end

  # The time is updated at most once a minute: it shows whether a token is still needed, not exactly when it was used.
  def used
    touch :last_used_at unless last_used_at&.after?(1.minute.ago)
  end

  private
    def no_more_than_its_account_may
      if role.in?(Role::NAMES) && !user.may?(role)
        errors.add :role, "must be one that your account has: #{user.role} at most"
      end
    end

    def make_secret
      @secret = "tm_#{SecureRandom.base58(32)}"
      self.digest = self.class.digest(secret)
    end
end
