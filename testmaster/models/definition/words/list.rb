# Several values, such as [ one, two ].
class Definition::Words::List < Definition::Word
  class Type < ActiveModel::Type::Value
    private
      def cast_value(value)
        Array(value).map(&:to_s)
      end
  end

  def type = Type.new

  def initialize(name, parameters: [ { name.to_sym => [] } ], **options)
    super(name, parameters: parameters, **options)
  end

  def complaint_about_shape(value)
    "a list such as [ one, two ]" unless value.is_a?(Array) && value.all? do |item|
      item.is_a?(String) || item.is_a?(Numeric)
    end
  end
end
