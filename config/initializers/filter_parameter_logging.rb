Rails.application.config.filter_parameters += [
  /\Adatabase(_url)?\z/, /\A(shown_)?address\z/, # they may contain passwords, also while they are typed
  :passw, :passphrase, :secret, :token, :_key, :crypt, :salt, :certificate, :otp, :access_key, :credentials,
  /\Acode\z/, # of a second factor, which may be one for recovery
  # Long texts are cut, as filtering them would take long, and strangers may send them.
  ->(_key,
    value) { value.replace(value.size > 20_000 ? "[#{value.size} CHARACTERS]" : Address.redact(value)) if value
      .is_a?(String) }
]
