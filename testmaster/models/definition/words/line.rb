# Text on one line, without blanks around it; nil if it is empty.
class Definition::Words::Line < Definition::Word
  class Type < ActiveModel::Type::String
    private
      def cast_value(value)
        super.strip.presence
      end
  end

  def type = Type.new
end
