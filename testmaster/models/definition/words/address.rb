# An address that may have a password: no page shows that, and the column has the whole of it encrypted.
class Definition::Words::Address < Definition::Word
  # plain: words that stand where an address could
  def initialize(name, plain: [], **options)
    @plain = plain
    super(name, **options)
  end

  def type = ActiveModel::Type::String.new

  def kept(value)
    value.nil? || value.in?(@plain) ? value : ActiveRecord::Encryption.encryptor.encrypt(value)
  end

  def found(kept)
    encryptor = ActiveRecord::Encryption.encryptor
    kept && encryptor.encrypted?(kept) ? encryptor.decrypt(kept) : kept
  end
end
