# Parses a line of progress of a JVM: words, and numbers that can be added up and stored. It drops everything else, as a
# machine may have written it.
module Machine::Progress
  NAME = /\A\w{1,40}\z/
  WORDS = %w[ role scenario state version ]

  class << self
    # Returns nil for any other line.
    def read(line)
      told = JSON.parse(line) if
        line.valid_encoding? && line.bytesize <= Machine::Limits::LINE && line.match?(/\A\{.*\}\z/)
      told&.first(Machine::Limits::FIGURES)&.to_h&.select { |name, value| fit?(name, value) }
    rescue JSON::ParserError
      nil
    end

    private
      def fit?(name, value)
        return false unless name.valid_encoding? && name.match?(NAME)

        name.in?(WORDS) ? word?(value) : value.is_a?(Numeric) && value.between?(0, Machine::Limits::NUMBER)
      end

      def word?(value)
        value.is_a?(String) && value == ForeignText.fit(value, Machine::Limits::WORD)
      end
  end
end
