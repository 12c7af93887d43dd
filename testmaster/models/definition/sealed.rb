# An encrypted text of a run's column. It is decrypted on demand, so a lost key affects only what needs the text.
class Definition::Sealed
  attr_reader :sealed

  def self.text?(text)
    ActiveRecord::Encryption.encryptor.encrypted?(text)
  end

  def self.of(text)
    new(ActiveRecord::Encryption.encryptor.encrypt(text))
  end

  def initialize(sealed)
    @sealed = sealed
  end

  # Raises ActiveRecord::Encryption::Errors::Decryption if it was encrypted with another key.
  def open
    @open ||= ActiveRecord::Encryption.encryptor.decrypt(sealed)
  end

  # Each encryption of a text gives another result, so the decrypted texts are compared.
  def ==(other)
    case other
    when Definition::Sealed then sealed == other.sealed || open == other.open
    when String             then open == other
    end
  rescue ActiveRecord::Encryption::Errors::Decryption
    false
  end

  # The result does not contain the text.
  def inspect
    "#<#{self.class.name}>"
  end
end
