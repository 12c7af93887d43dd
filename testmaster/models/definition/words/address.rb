# An address that may have a password: no page shows the password, and the column keeps the whole address encrypted.
class Definition::Words::Address < Definition::Word
  # Casts text, or encrypted text.
  class Type < ActiveModel::Type::Value
    private
      def cast_value(value)
        value.is_a?(Definition::Sealed) ? value : value.to_s
      end
  end

  # plain lists words that may stand in place of an address.
  def initialize(name, plain: [], **options)
    @plain = plain
    super(name, **options)
  end

  def type = Type.new

  # Readers get the address from its owner, so it is not shown.
  def told(value)
  end

  def kept(value)
    case value
    when Definition::Sealed then value.sealed
    when nil, *@plain       then value
    else Definition::Sealed.of(value).sealed
    end
  end

  def found(kept)
    kept && Definition::Sealed.text?(kept) ? Definition::Sealed.new(kept) : kept
  end
end
