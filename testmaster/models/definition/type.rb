# A definition in a column of JSON.
class Definition::Type < ActiveRecord::ConnectionAdapters::PostgreSQL::OID::Jsonb
  def deserialize(json)
    Definition.found(super || {})
  end

  def serialize(definition)
    super(definition&.kept)
  end

  def cast(value)
    value.is_a?(Definition) ? value : Definition.read(value)
  end

  # What is encrypted is another text each time.
  def changed_in_place?(json, definition)
    deserialize(json) != definition
  end
end
