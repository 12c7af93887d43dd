# A text as the column of a run has it, encrypted; it is opened by whoever asks for it. Where the key is lost, all that
# does not ask goes on.
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

  # Raises ActiveRecord::Encryption::Errors::Decryption where it was sealed with another key.
  def open
    @open ||= ActiveRecord::Encryption.encryptor.decrypt(sealed)
  end

  # What is sealed twice is another text each time.
  def ==(other)
    case other
    when Definition::Sealed then sealed == other.sealed || open == other.open
    when String             then open == other
    end
  rescue ActiveRecord::Encryption::Errors::Decryption
    false
  end

  # Nothing shows it.
  def inspect
    "#<#{self.class.name}>"
  end
end
