# A phase of the load.
class Definition::LoadPlan::Phase
  WORDS = %w[ for until at_most rate takers name ]
  NAME = /\A\w[\w -]{0,39}\z/
  ZERO = %r{\A0+(\.0*)?/}
  NUMBER = %r{\d{1,7}(\.\d{1,3})?/(s|min|h)}
  RATE = %r{\A#{NUMBER}( to #{NUMBER} over \d{1,6} ?(ms|s|min|h))?\z}
  NO_RAMP = %r{\A0+(\.0*)?/.* to | to 0+(\.0*)?/| over 0+ ?[a-z]} # from nothing, to nothing, in no time

  attr_reader :number

  def initialize(row, number)
    @row, @number = row, number
  end

  def name
    @row["name"].presence || "phase #{number}"
  end

  # Returns a text such as "Phase spike".
  def title
    @row["name"].present? ? "Phase #{name}" : name.upcase_first
  end

  # Returns its longest time [s].
  def seconds
    Duration.parse(@row[until? ? "at_most" : "for"])
  end

  def until?
    @row.key?("until")
  end

  def condition
    Definition::LoadPlan::Until.new(@row["until"]) if until?
  end

  # Returns the rate from its begin on; nil if the rate before stays.
  def rate
    @row["rate"].presence
  end

  def paused?
    @row["takers"] == "paused"
  end

  # Returns a text such as "phase 2 (spike)".
  def in_words
    [ "phase #{number}", ("(#{@row["name"].truncate(40)})" if @row["name"].present?) ].compact.join(" ")
  end

  # Returns the validation error, worded to follow in_words, or nil.
  def complaint
    complaint_about_words || complaint_about_time || complaint_about_values
  end

  private
    def complaint_about_words
      twice = @row.keys.find { |word| word.end_with?(Definition::LoadPlan::AGAIN) }
      return "has the word #{twice.delete_suffix(Definition::LoadPlan::AGAIN).truncate(50)} twice" if twice
      unknown = (@row.keys - WORDS).first or return
      guess = DidYouMean::SpellChecker.new(dictionary: WORDS).correct(unknown).first
      "has #{unknown.truncate(50).inspect}#{guess ? "; did you mean #{guess}?" : ", but a phase has the words " \
        "#{WORDS.join(", ")}, as in #{Definition::LoadPlan::EXAMPLE}"}"
    end

    def complaint_about_time
      case
      when until? && @row.key?("for")          then "has both for and until: write one of them"
      when !until? && @row.key?("at_most")     then "has at_most without until: write for in its place"
      when !until? && !@row.key?("for")
        "needs its length, such as for: 60s, or until: \"backlog = 0\" with at_most: 5min"
      when until? && @row["at_most"].blank?
        "needs at_most, such as at_most: 5min, as the condition of until may never hold"
      when !seconds&.positive? then "must have #{until? ? "at_most" : "for"} of 1s or more, such as 60s or 2min"
      when until? then complaint_about_condition
      end
    end

    def complaint_about_condition
      if words = condition.complaint
        "has until #{@row["until"].truncate(100).inspect}, which #{words}"
      elsif condition.seconds >= seconds
        "has at_most #{@row["at_most"]}, in which #{condition.text} cannot hold: it takes longer than " \
          "#{Duration.format(condition.seconds)}"
      end
    end

    def complaint_about_values
      empty = %w[ rate name ].find { |word| @row.key?(word) && @row[word].blank? }
      case
      when empty then "has no value of #{empty}: write one, or leave the word out"
      when rate && !rate.match?(RATE)
        "has the rate #{rate.truncate(50).inspect}: write one such as 1000/s, or 100/s to 2000/s over 30s"
      when rate&.match?(NO_RAMP)
        "has the rate #{rate}: a rate that changes must be above 0 at its begin and its end, and take some time"
      when @row.key?("takers") && !paused? then "has takers: #{@row["takers"].truncate(50)}; takers can only be paused"
      when !name.match?(NAME) then "must have a name of up to 40 letters, digits, blanks, _ and -"
      end
    end
end
