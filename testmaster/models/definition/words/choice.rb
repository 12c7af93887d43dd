# One of several words, of which the first is the default.
class Definition::Words::Choice < Definition::Word
  attr_reader :choices

  # choices is { word => label in the form }.
  def initialize(name, choices:, **options)
    @choices = choices
    super(name, default: choices.keys.first, **options)
  end

  def type = ActiveModel::Type::String.new

  def complaint(value)
    "must be #{choices.keys.sort.to_sentence(two_words_connector: " or ", last_word_connector: " or ")}" unless
      choices.key?(value)
  end

  def told(value)
    value unless value == default
  end
end
