# True or false.
class Definition::Words::Switch < Definition::Word
  WRITTEN = %w[ true false 1 0 t f ]

  def initialize(name, **options) = super(name, default: false, **options)

  def type = ActiveModel::Type::Boolean.new

  # written is the value before it was read as true or false.
  def complaint(value, written = value)
    "must be true or false" unless written.to_s.in?(WRITTEN)
  end
end
