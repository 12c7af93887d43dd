# The keys for encrypted attributes are derived from secret_key_base, so that there is only one secret to keep.
Rails.application.tap do |app|
  key = ->(purpose) { app.key_generator.generate_key("active record encryption #{purpose}", 32).unpack1("H*") }

  app.config.active_record.encryption.primary_key = key["primary"]
  app.config.active_record.encryption.deterministic_key = key["deterministic"]
  app.config.active_record.encryption.key_derivation_salt = key["salt"]
end
