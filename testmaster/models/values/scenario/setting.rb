# One setting of a scenario: how it is called, what may be written, what it is where nothing is.
class Scenario::Setting
  attr_reader :name, :label, :default, :unit, :hint, :choices, :example, :range

  # entry: words for people, and, where there is no key of the catalogue, default and limits. whose: the scenario that
  # has the setting, and its limits
  def initialize(name, entry, key: nil, whose: nil)
    @name, @whose = name, whose
    @label, @unit, @hint, @choices, @example, @says =
      entry.values_at("label", "unit", "hint", "choices", "example", "says")
    @default = key ? key.default.presence : entry["default"]
    @range = entry["from"] ? entry["from"]..entry["to"] : key&.limits
    @pattern = Regexp.new(entry["pattern"]) if entry["pattern"]
  end

  def placeholder
    example || default
  end

  def number?
    range && !@pattern
  end

  # For a list to choose from; the default is what nothing said means.
  def options
    choices.map { |value, word| [ word, (value unless value == default) ] }
  end

  # What is wrong with a value, in words that follow the label; nil where nothing is.
  def complaint(text)
    case
    when choices  then "must be one of " \
      "#{choices.keys.to_sentence(last_word_connector: " or ", two_words_connector: " or ")}" unless choices.key?(text)
    when @pattern then text.match?(@pattern) ? complaint_of_numbers(text.scan(/\d+/)) : @says
    when range    then text.match?(/\A-?\d+\z/) ? complaint_of_numbers([ text ]) : "must be a whole number"
    end
  end

  private
    def complaint_of_numbers(numbers)
      if range && numbers.any? { |number| !range.cover?(number.to_i) }
        limits = range.end ? "from #{in_words range.begin} to #{in_words range.end}" : "#{in_words range.begin} or more"
        [ "must be #{limits}", (", the limits of #{@whose}" if @whose) ].join
      end
    end

    def in_words(number)
      [ number.to_fs(:delimited), unit ].compact.join(" ")
    end
end
