# What a run must keep in a search for the highest level that holds: "p99 < 50 ms", "errors = 0", "queue steady". The
# log analyzer judges by the same words.
class Experiment::Condition
  FORMAT = %r{\A(?<figure>throughput|mean|p50|p95|p99|max|errors|late)\s*(?<relation><=|>=|<|>|=)\s*
    (?<limit>\d{1,9}(?:\.\d{1,6})?)\s*(?<unit>%|us|ms|s|/s|1/s|)\z}x
  STEADY = "queue steady"
  EXAMPLES = [ "p99 < 50 ms", "errors = 0", "late < 1 %", STEADY ]
  MILLISECONDS = { "us" => 0.001, "ms" => 1, "s" => 1000 }
  UNITS = { "ms" => MILLISECONDS.keys, "1/s" => %w[ /s 1/s ], "%" => %w[ % ] }

  attr_reader :text

  def initialize(text)
    @text = text.to_s.strip.squish
    @match = FORMAT.match(@text) if @text.size <= 100
  end

  # An amount without a unit is 0, or is in that of the figure.
  def valid?
    steady? || !!@match && (@match[:unit].empty? || @match[:unit].in?(UNITS.fetch(Experiment::Figure::UNITS[figure])))
  end

  # figures: as those of a try. What was not measured is not kept.
  def kept_by?(figures)
    return figures[STEADY] == 1 if steady?

    value = figures[figure] or return false
    value.public_send(@match[:relation] == "=" ? :== : @match[:relation], limit)
  end

  # In words that follow it; nil where it can be judged
  def complaint
    return if valid?

    word = text.first(100)[/\A[[:alpha:]][\w ]*?(?=\s*(?:[<>=]|\z))/]
    if word && !word.in?(Experiment::Figure::NAMES)
      guess = DidYouMean::SpellChecker.new(dictionary: [ *Experiment::Figure::NAMES, STEADY ]).correct(word).first
      known = "figures are #{Experiment::Figure::NAMES.join(", ")}, and there is #{STEADY}"
      "is of no figure that is known: #{guess ? "did you mean #{guess}?" : known}"
    else
      "must be such as #{EXAMPLES.join(", ")}"
    end
  end

  private
    def steady?
      text == STEADY
    end

    def figure
      @match[:figure]
    end

    def limit
      @match[:limit].to_f * MILLISECONDS.fetch(@match[:unit], 1)
    end
end
