# A required name, kept as it was written.
class Definition::Words::Name < Definition::Word
  def type = ActiveModel::Type::String.new

  def complaint(value)
    "can't be blank" if value.blank?
  end

  def told(value)
    value
  end
end
