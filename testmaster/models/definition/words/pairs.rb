# Settings by their names, such as { workers: 8 }.
class Definition::Words::Pairs < Definition::Word
  class Type < ActiveModel::Type::Value
    private
      def cast_value(value)
        value.to_h.to_h { |name, text| [ name.to_s.strip, text.to_s.strip ] }
      end
  end

  def type = Type.new

  def complaint_about_shape(value)
    "pairs such as { workers: 8 }" unless value.is_a?(Hash)
  end
end
