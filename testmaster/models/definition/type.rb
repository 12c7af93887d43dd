# Stores a definition in a column of JSON.
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

  # Each encryption gives another text, so the decrypted values are compared.
  def changed_in_place?(json, definition)
    deserialize(json) != definition
  end
end
