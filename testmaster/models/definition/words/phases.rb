# Phases of the load, such as [ { for: 60s, rate: 1000/s } ]. A form has them as text, one on a line.
class Definition::Words::Phases < Definition::Word
  class Type < ActiveModel::Type::Value
    def cast(value)
      super || []
    end

    private
      def cast_value(value)
        value.is_a?(String) ? Definition::LoadPlan.parse(value) :
          Array.wrap(value).map { |it| Definition::LoadPlan.pairs(it) }
      end
  end

  def initialize(name, attribute:, **options)
    super(name, attribute: attribute, default: [], weighs: false, **options)
  end

  def type = Type.new

  def complaint_about_shape(value)
    return if value.is_a?(String) || value.is_a?(Array) && value.any?

    "a list of phases such as [ { for: 60s, rate: 1000/s }, { for: 10s, rate: 8000/s } ]" \
      "#{"; without phases, leave the word out" if value == []}"
  end

  def complaint(value)
    Definition::LoadPlan.new(value).complaint
  end
end
