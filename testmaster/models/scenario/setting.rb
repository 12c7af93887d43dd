# One setting of a scenario: how it is called, what may be written, what it is where nothing is.
class Scenario::Setting
  attr_reader :name, :label, :default, :unit, :hint, :choices, :example

  # whose: the scenario that has the setting, and its limits
  def initialize(name, entry, whose: nil)
    @name, @whose = name, whose
    @label, @default, @unit, @hint, @choices,
      @example = entry.values_at("label", "default", "unit", "hint", "choices", "example")
    @from, @to, @says = entry.values_at("from", "to", "says")
    @pattern = Regexp.new(entry["pattern"]) if entry["pattern"]
  end

  def placeholder
    example || default
  end

  def number?
    @from && !@pattern
  end

  def range
    @from..@to if @from
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
    when @from    then text.match?(/\A-?\d+\z/) ? complaint_of_numbers([ text ]) : "must be a whole number"
    end
  end

  private
    def complaint_of_numbers(numbers)
      if range && numbers.any? { |number| !range.cover?(number.to_i) }
        [ "must be from #{in_words(@from)} to #{in_words(@to)}", (", the limits of #{@whose}" if @whose) ].join
      end
    end

    def in_words(number)
      [ number.to_fs(:delimited), unit ].compact.join(" ")
    end
end
