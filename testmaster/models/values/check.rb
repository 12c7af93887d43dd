# A check of an ended run, with what it tests, its limit, and what to do: a row of vocabulary/checks.yml, which the log
# analyzer uses, too.
class Check
  VOCABULARY = YAML.load_file(Rails.root.join("vocabulary/checks.yml")).fetch("checks")
  OTHER_PROGRAMS = "Other programs"
  OURSELVES = "(Testmaster " # the first program that monitor.sh found

  # Returns the rows of the vocabulary, without results.
  def self.all
    VOCABULARY.keys.map { |title| new("check" => title) }
  end

  # result is a row of the log analyzer: { "verdict" =>, "check" =>, "reason" => }. Earlier versions had other checks.
  def initialize(result)
    @result, @row = result, VOCABULARY.fetch(result["check"], {})
  end

  def title
    @result["check"]
  end

  # Returns good, note, unknown, warning or rejected.
  def verdict
    @result["verdict"]
  end

  # Returns what was seen.
  def reason
    @result["reason"].to_s.strip.upcase_first.sub(/[.!?]?\z/, ".")
  end

  def meaning
    @row["is"]
  end

  def limit
    @row["limit"]&.gsub(/%\{(\w+)\}/) { @row.fetch $1 }
  end

  def advice
    @row["do"]
  end

  # Returns kinds of Outcome::Remedy, the likeliest first.
  def remedies
    @row.fetch("remedies", [])
  end

  # Returns whether other programs on the machine can be the cause.
  def disturbed?
    @row.fetch("disturbed", false)
  end

  def other_programs?
    title == OTHER_PROGRAMS
  end

  # Returns whether the Testmaster itself takes the most of the other programs.
  def by_ourselves?
    reason.include?(OURSELVES)
  end

  def as_json(*)
    @result.merge({ "is" => meaning, "limit" => limit, "do" => advice }.compact)
  end
end
