# An address that may have a password: no page shows that, and the column has the whole of it sealed.
class Definition::Words::Address < Definition::Word
  # Text, or what is sealed
  class Type < ActiveModel::Type::Value
    private
      def cast_value(value)
        value.is_a?(Definition::Sealed) ? value : value.to_s
      end
  end

  # plain: words that stand where an address could
  def initialize(name, plain: [], **options)
    @plain = plain
    super(name, **options)
  end

  def type = Type.new

  # As people read it, who get the address from its owner
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
