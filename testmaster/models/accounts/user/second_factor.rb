# A code of an authenticator app (RFC 6238), asked for after the password. A recovery code replaces it once.
module User::SecondFactor
  extend ActiveSupport::Concern

  ISSUER = "Testmaster"
  RECOVERY_CODES = 10
  DRIFT = 30 # seconds by which the clock of the app may differ

  included do
    encrypts :factor_secret

    before_update :forget_second_factor, if: :removed_at_changed? # whoever comes back is somebody new
  end

  # Returns what an app reads from a QR code.
  def self.address_of(secret, user)
    ROTP::TOTP.new(secret, issuer: ISSUER).provisioning_uri(user.email_address)
  end

  def second_factor?
    factor_secret.present?
  end

  # Returns the recovery codes, which can be read only here; nil if the code is wrong, or a factor is on.
  def turn_on_second_factor(secret, code)
    with_lock do
      used_at = time_of(code, secret, after: 0) unless second_factor?
      next unless used_at

      codes = Array.new(RECOVERY_CODES) { SecureRandom.alphanumeric(12).downcase }
      update! factor_secret: secret, factor_used_at: used_at, recovery_digests: codes.map { |one| digest_of one }
      codes
    end
  end

  def turn_off_second_factor
    forget_second_factor
    save!
  end

  # Each code counts once.
  def pass_second_factor?(code)
    with_lock do
      if used_at = time_of(code, factor_secret, after: factor_used_at)
        update! factor_used_at: used_at
      elsif recovery_digests.include?(digest = digest_of(code.delete(" ").downcase))
        update! recovery_digests: recovery_digests - [ digest ]
      end
    end
  end

  private
    def forget_second_factor
      assign_attributes factor_secret: nil, factor_used_at: 0, recovery_digests: []
    end

    def time_of(code, secret, after:)
      ROTP::TOTP.new(secret).verify(code.delete(" "), after: after, drift_behind: DRIFT, drift_ahead: DRIFT) if secret
    end

    def digest_of(code)
      OpenSSL::Digest::SHA256.hexdigest(code)
    end
end
