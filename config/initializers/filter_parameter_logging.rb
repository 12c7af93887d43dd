Rails.application.config.filter_parameters += [
  :passw, :passphrase, :secret, :token, :_key, :crypt, :salt, :certificate, :otp, :access_key, :credentials,
  ->(_key, value) { value.replace(Address.redact(value)) if value.is_a?(String) }
]
