Rails.application.config.filter_parameters += [
  /\Adatabase(_url)?\z/, /\A(shown_)?address\z/, # they may have passwords, also half typed
  :passw, :passphrase, :secret, :token, :_key, :crypt, :salt, :certificate, :otp, :access_key, :credentials,
  # A text of any length would cost the time to look through it, also where a stranger sent it.
  ->(_key,
    value) { value.replace(value.size > 20_000 ? "[#{value.size} CHARACTERS]" : Address.redact(value)) if value
      .is_a?(String) }
]
