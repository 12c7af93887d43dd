# One setting of a scenario: its label, its valid values, and its default.
class Scenario::Setting
  WORDS = %w[ label unit hint choices example says default from to pattern rare ]

  SHARE = /([\d.]+) ?%/
  ALL, ROUNDED = 100, 0.05 # per cent

  attr_reader :name, :label, :default, :unit, :hint, :choices, :example, :range

  # entry has words for people and, if the catalogue has no key, default and limits. whose is the scenario that has the
  # setting, and its limits.
  def initialize(name, entry, key: nil, whose: nil)
    entry.assert_valid_keys WORDS # a comma in an unquoted hint makes one
    @name, @whose = name, whose
    @label, @unit, @hint, @choices, @example, @says =
      entry.values_at("label", "unit", "hint", "choices", "example", "says")
    @rare = entry["rare"]
    @default = key ? key.default.presence : entry["default"]
    @range = entry["from"] ? entry["from"]..entry["to"] : key&.limits
    @pattern = Regexp.new(entry["pattern"]) if entry["pattern"]
  end

  # Returns the numbers of a value, without shares.
  def self.numbers_in(text)
    text.to_s.gsub(SHARE, "").scan(/\d+/).map(&:to_i)
  end

  # Returns whether the form folds it.
  def rare?
    @rare
  end

  def placeholder
    example || default
  end

  def number?
    range && !@pattern
  end

  # Returns the choices of a list; the empty choice means the default.
  def options
    choices.map { |value, word| [ word, (value unless value == default) ] }
  end

  # Returns the validation error of a value, worded to follow the label, or nil.
  def complaint(text)
    case
    when choices  then "must be one of " \
      "#{choices.keys.to_sentence(last_word_connector: " or ", two_words_connector: " or ")}" unless choices.key?(text)
    when @pattern then text.match?(@pattern) ? complaint_of_parts(text) : @says
    when range    then text.match?(/\A-?\d+\z/) ? complaint_of_numbers([ text.to_i ]) : "must be a whole number"
    end
  end

  private
    def complaint_of_parts(text)
      complaint_of_numbers(self.class.numbers_in(text)) || complaint_of_ranges(text) || complaint_of_shares(text)
    end

    def complaint_of_shares(text)
      sum = text.scan(SHARE).sum { |share,| share.to_f }
      "has shares that add up to #{sum.round(2)} %, not to 100 %" if text.match?(SHARE) && (sum - ALL).abs > ROUNDED
    end

    def complaint_of_ranges(text)
      from, to = text.scan(/(\d+)\.\.(\d+)/).detect { |from, to| from.to_i > to.to_i }
      "has the range #{from}..#{to}: write the smaller number first" if from
    end

    def complaint_of_numbers(numbers)
      if range && numbers.any? { |number| !range.cover?(number) }
        limits = range.end ? "from #{in_words range.begin} to #{in_words range.end}" : "#{in_words range.begin} or more"
        [ "must be #{limits}", (", the limits of #{@whose}" if @whose) ].join
      end
    end

    def in_words(number)
      [ number.to_fs(:delimited), unit ].compact.join(" ")
    end
end
