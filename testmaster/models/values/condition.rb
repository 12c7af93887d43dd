# A condition on a figure, such as "p99 < 50 ms", "errors = 0", "p99 > +10 %" or "queue steady". The grammar is that of
# vocabulary/conditions.yml, which the log analyzer uses, too.
class Condition
  VOCABULARY = YAML.load_file(Rails.root.join("vocabulary/conditions.yml"))
  LONGEST = VOCABULARY["longest"]
  STATES = VOCABULARY["states"].transform_values { |row| row["known"] }
  STEADY = STATES.keys.first
  FORM = %r{\A(?<figure>[a-z][a-z0-9_.]*)(?:\(#{Regexp.escape VOCABULARY["requests"]}\))?\s*(?<relation><=|>=|<|>|=)\s*
    (?<sign>[+-]?)(?<limit>[0-9]{1,12}(?:\.[0-9]{1,9})?)\s*(?<unit>%|us|ms|s|/s|1/s|[kM]?B/s|messages|copies|)\z}x

  attr_reader :text, :figure, :relation, :limit, :complaint

  # Returns examples of conditions for a judge.
  def self.examples(judge)
    VOCABULARY["examples"][judge.to_s]
  end

  # judge is the user of the figure: live, exact, try or comparison.
  def initialize(text, judge)
    @text, @judge = text.to_s.strip, judge.to_s
    squeezed = @text.size > LONGEST ? "" : @text.gsub(/\s+/, " ")
    STATES.key?(squeezed) ? read_state(squeezed) : read(FORM.match(squeezed))
  end

  # If it is invalid, complaint is worded to follow the quoted text.
  def valid?
    complaint.nil?
  end

  # Returns whether it is a state such as "queue steady".
  def state?
    !!@state
  end

  # value is in the base unit of the figure, or in per cent for a change.
  def holds?(value)
    value.public_send(relation == "=" ? :== : relation, limit)
  end

  # figures are those of a try, by their names, in plain units. A condition on an unmeasured figure is not kept.
  def kept_by?(figures)
    return figures[@state] == 1 if state?

    value = figures[figure.name] or return false
    holds? value * figure.units[figure.unit]
  end

  # Returns the limit as it was written, such as "50 ms".
  def limit_in_words
    "#{@match[:sign]}#{@match[:limit]} #{@match[:unit].presence || figure.unit}"
  end

  private
    def read_state(name)
      @state, @relation, @limit = name, "=", 1
      complain_of_place name unless @judge.in?(STATES[name])
    end

    def read(match)
      return complain("form", examples: self.class.examples(@judge).join(", ")) unless match

      @match, @figure, @relation = match, Figure[match[:figure]], match[:relation]
      return complain("figure", figure: match[:figure], figures: known) unless figure
      return complain_of_place(match[:figure]) unless figure.known_to?(@judge)

      match[:sign].present? ? read_change : read_limit
    end

    def read_change
      return complain("no_change") unless @judge == "comparison"
      return complain("change") unless @match[:unit] == "%"

      @limit = "#{@match[:sign]}#{@match[:limit]}".to_f
    end

    def read_limit
      size = figure.units[@match[:unit].presence || figure.unit]
      return complain(@judge == "comparison" ? "unit_or_change" : "unit", units: figure.units_in_words) unless size

      @limit = @match[:limit].to_f * size
    end

    def complain_of_place(name)
      complain "place", place: VOCABULARY["judges"][@judge], figure: name, figures: known
    end

    def complain(message, **words)
      @complaint = [ format(VOCABULARY["messages"][message].gsub(/%(?!\{)/, "%%"), **words), guess ].compact.join("; ")
    end

    def known
      [ *Figure.names(@judge), *STATES.select { |_, judges| @judge.in?(judges) }.keys ].join(", ")
    end

    def guess
      word = @match ? @match[:figure] : text.first(LONGEST)[/\A[[:alpha:]][\w ]*?(?=\s*(?:[<>=]|\z))/]
      names = [ *Figure.names(@judge), *STATES.keys ]
      found = DidYouMean::SpellChecker.new(dictionary: names).correct(word).first if word && !word.in?(names)
      "did you mean #{found}?" if found
    end
end
