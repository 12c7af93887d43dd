PASSWORD_IN_ADDRESS = %r{(?<=://)([^:/@\s]*):[^\s"']*(?=@)}

Rails.application.config.filter_parameters += [
  :passw, :passphrase, :secret, :token, :_key, :crypt, :salt, :certificate, :otp, :access_key, :credentials,
  ->(_key, value) { value.gsub!(PASSWORD_IN_ADDRESS, '\1:[FILTERED]') if value.is_a?(String) }
]
