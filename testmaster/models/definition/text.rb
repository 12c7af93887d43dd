# Parses the text of a definition, which any account may send: within limits of size, and without YAML aliases.
module Definition::Text
  LONGEST = 1.megabyte
  MOST_VALUES, DEEPEST = 20_000, 10

  class Refused < StandardError
    def self.too_deep(place)
      new "The definition is nested more than #{DEEPEST} levels deep, at #{place}"
    end
  end

  # Refuses the text at the first bracket beyond the limit: libyaml takes 17 seconds to read 100,000 of them to their
  # end.
  class Shallow < Psych::Handler
    def initialize
      @depth = 0
    end

    def event_location(line, *)
      @line = line + 1
    end

    def start_sequence(*)
      raise Refused.too_deep("line #{@line}") if (@depth += 1) > DEEPEST
    end
    alias start_mapping start_sequence

    def end_sequence
      @depth -= 1
    end
    alias end_mapping end_sequence
  end

  def self.parse(text)
    raise Refused, "The definition has #{text.bytesize} bytes, more than #{LONGEST}" if text.bytesize > LONGEST

    Psych::Parser.new(Shallow.new).parse(text)
    YAML.safe_load(text, aliases: false)
  rescue Psych::AliasesNotEnabled
    raise Refused, "The definition has an alias (*name): write the values out"
  rescue Psych::SyntaxError => error
    raise Refused, "The definition is not YAML: line #{error.line}, column #{error.column}: " \
      "#{[ error.problem, error.context ].compact.join(" ")}"
  rescue Psych::Exception, SystemStackError => error
    raise Refused, "The definition is not YAML: #{error.message}"
  end

  # Returns the value if it is within the limits of size and depth, and PostgreSQL can store it.
  def self.limited(value)
    level, count, depth = { nil => value }, 0, 0
    until level.empty?
      raise Refused, "The definition has more than #{MOST_VALUES} values" if (count += level.size) > MOST_VALUES
      raise Refused.too_deep(level.keys.first.truncate(200)) if (depth += 1) > DEEPEST

      level.each do |path, inside|
        if "#{path}#{inside if inside.is_a?(String)}".include?("\0")
          raise Refused, "#{path.to_s.delete("\0").truncate(200)} has a NUL character"
        end
      end
      level = level.flat_map { |path, inside| parts_of(path, inside) }.to_h
    end
    value
  end

  def self.parts_of(path, value)
    pairs = value.is_a?(Hash) ?
      value.to_a : value.is_a?(Array) ? value.each_with_index.map { |item, index| [ index, item ] } : []
    pairs.map { |key, inside| [ [ path, key ].compact.join("."), inside ] }
  end
  private_class_method :parts_of
end
