# The text of a definition, which comes from anybody who has an account: read up to limits, and without what YAML can grow by itself.
module DefinitionText
  LONGEST = 1.megabyte
  MOST_VALUES, DEEPEST = 20_000, 10

  class Refused < StandardError
  end

  def self.parse(text)
    raise Refused, "The definition has #{text.bytesize} bytes, and may have #{LONGEST}" if text.bytesize > LONGEST

    YAML.safe_load(text, aliases: false)
  rescue Psych::AliasesNotEnabled
    raise Refused, "The definition has an alias (*name): write the values out"
  rescue Psych::Exception, SystemStackError => error
    raise Refused, "The definition is not YAML: #{error.message}"
  end

  # The same value, where it is not too large or too deep.
  def self.limited(value)
    values, level = [ value ], 0
    count = 0
    until values.empty?
      count += values.size
      raise Refused, "The definition has more than #{MOST_VALUES} values" if count > MOST_VALUES
      raise Refused, "The definition is nested more than #{DEEPEST} levels deep" if (level += 1) > DEEPEST

      values = values.flat_map { |inside| inside.is_a?(Hash) ? inside.values : Array.wrap(inside.is_a?(Array) ? inside : nil) }
    end
    value
  end
end
