# The verdict of an ended run: one name, which the strongest reason decides, and that reason in words.
class Outcome::Verdict
  # The strongest comes first. JSON and search use these words.
  WORDS = {
    "failed" => "Failed", "cancelled" => "Cancelled", "not_accepted" => "Not accepted",
    "threshold_broken" => "Threshold broken", "unknown" => "Unknown", "examining" => "Being examined",
    "accepted" => "Accepted"
  }

  # A reason against the run, and the section of its page with details.
  Objection = Struct.new(:text, :state, :section)

  def initialize(outcome)
    @outcome, @run = outcome, outcome.run
  end

  def name
    case
    when @run.failed?      then "failed"
    when @run.cancelled?   then "cancelled"
    when examining?        then "examining"
    when rejected.any?     then "not_accepted"
    when broken.any?       then "threshold_broken"
    when checks.empty? || unmeasured.any? then "unknown"
    else "accepted"
    end
  end

  def word
    WORDS.fetch(name)
  end

  # Returns the word for its shape and colour.
  def state
    name.dasherize
  end

  # Returns whether its figures may be quoted without reservation.
  def sound?
    name.in? %w[ accepted threshold_broken ]
  end

  # Returns a sentence or two: the figure, the limit, the cause.
  def reason
    case name
    when "failed"           then failure
    when "cancelled"        then cancellation
    when "examining"        then "The logs are being examined. Checks and exact figures follow."
    when "not_accepted"     then [ disturbance, *(breach if broken.any?), complaint ].compact.join(" ")
    when "threshold_broken" then breach
    when "unknown"          then ignorance
    when "accepted"         then praise
    end
  end

  # Returns the checks that reject the run.
  def complaints
    name == "not_accepted" ? rejected.map { |result| Check.new(result) } : []
  end

  # Returns what stands above the complaints: what explains them, and what else is wrong.
  def summary
    return reason if complaints.empty?

    passed_over = "#{rejected.size} of #{checks.size} checks did not pass, so these figures cannot be used."
    [ disturbance, *(breach if broken.any?), passed_over ].compact.join(" ")
  end

  def remedies
    Outcome::Remedy.for(@run, complaints, disturbed: disturbance.present?)
  end

  # Returns the other reasons against the run, which did not decide the verdict.
  def against
    breaches = examining? ? [] : broken
    [ objection(rejected, checks, "check", "not passed", "failed", "checks"),
      objection(breaches, @run.definition.limits, "threshold", "broken", "threshold-broken", "thresholds") ].compact
  end

  def to_h
    { "name" => name, "word" => word }
  end

  def as_json(*)
    { **to_h, "reason" => reason, "against" => against.map(&:text) }
  end

  private
    delegate :figures, to: :@outcome

    def failure
      (@outcome.reason_of_failure || "Failed for an unknown reason").sub(/[^.!?]\z/) { |last| "#{last}." }
    end

    def examining?
      !@outcome.examined? && @run.archive.attached?
    end

    def checks
      @outcome.check_results
    end

    def rejected
      checks.select { |check| check["verdict"] == "rejected" }
    end

    # The threshold that is exceeded most comes first.
    def broken
      @run.definition.limits.select { |limit| limit.met?(figures) == false }.sort_by { |limit| -limit.excess(figures) }
    end

    def unmeasured
      @run.definition.limits.select { |limit| limit.met?(figures).nil? }
    end

    def objection(bad, all, noun, word, state, section)
      Objection.new("#{bad.size} of #{all.size} #{noun.pluralize(all.size)} #{word}", state, section) if bad.any?
    end

    def cancellation
      return "Cancelled before the load began." unless @run.load_starts_at

      "Cancelled after #{Duration.format @run.seconds_of_load.round} of load. " \
        "The figures up to then are kept, and are partial."
    end

    def breach
      broken.first.breach_in_words(figures)
    end

    # Returns a sentence on other programs if they took so much that they can explain what was rejected.
    def disturbance
      if other_programs && rejected.any? { |result| Check.new(result).disturbed? }
        remedy = others.by_ourselves? ? "choose other machines or fewer JVMs" : "close them"
        "#{other_programs}: #{remedy}, and run again."
      end
    end

    # Returns a sentence without a full stop; nil if they took little.
    def other_programs
      others.reason.sub(/\AThey/, "Other programs").delete_suffix(".") if others&.verdict == "warning"
    end

    def others
      @others ||= @outcome.all_checks.find(&:other_programs?)
    end

    def complaint
      sentence "The check “#{rejected.first["check"]}” failed: #{rejected.first["reason"]}"
    end

    def ignorance
      case
      when figures["not_examined"] then sentence("The logs could not be examined: #{figures["not_examined"]}")
      when checks.empty?           then "There are no logs to examine."
      else "#{unmeasured.map(&:text).to_sentence} could not be measured."
      end
    end

    def praise
      warnings = checks.count { |check| check["verdict"] == "warning" }
      [ passed, ("with #{warnings} #{"warning".pluralize(warnings)}" if warnings.positive?), kept ].compact.join(", ") +
        ".#{undecided}#{" #{other_programs}." if other_programs}"
    end

    def passed
      case
      when checks.any? { |check| check["verdict"] != "good" } then "None of #{checks.size} checks rejects it"
      when checks.one?                                        then "The one check passed"
      else "All #{checks.size} checks passed"
      end
    end

    def undecided
      titles = checks.select { |check| check["verdict"] == "unknown" }.map { |check| "“#{check["check"]}”" }
      " #{titles.to_sentence} could not be checked." if titles.any?
    end

    def kept
      limits = @run.definition.limits.size
      limits == 1 ? "and its threshold is met" : "and all #{limits} thresholds are met" if limits.positive?
    end

    def sentence(text)
      text.strip.sub(/[.!?]?\z/, ".")
    end
end
