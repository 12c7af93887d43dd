# A whole number of something.
class Definition::Words::Count < Definition::Word
  attr_reader :range

  def initialize(name, range:, **options)
    @range = range
    super(name, default: 1, **options)
  end

  def type = ActiveModel::Type::Integer.new(limit: 8)

  def told(value)
    value
  end
end
