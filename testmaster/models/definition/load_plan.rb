# The phases of a load, one after the other, from the end of the warm-up on. The rows are as people write them:
# { "for" => "60s", … }.
class Definition::LoadPlan
  MOST = 20 # phases: each is read from the logs by itself
  EXAMPLE = "{ for: 60s, rate: 1000/s }"
  AGAIN = " again" # behind a word that stands in a line twice

  attr_reader :phases

  class << self
    # Reads the text of a form: "for: 60s, rate: 1000/s" on each line.
    def parse(text)
      text.lines.map(&:strip).compact_blank.map do |line|
        line.delete_prefix("{").delete_suffix("}").split(",").each_with_object({}) do |pair, row|
          name, value = pair.split(":", 2).map(&:strip)
          row[row.key?(name.to_s) ? "#{name}#{AGAIN}" : name.to_s] = value.to_s.delete_prefix('"').delete_suffix('"')
        end
      end
    end

    # Returns the words of a phase as text; what is none is found later.
    def pairs(row)
      row.is_a?(Hash) ? row.to_h { |name, value| [ name.to_s, value.is_a?(Enumerable) ? "" : value.to_s.strip ] } :
        { row.to_s.truncate(50) => "" }
    end

    def text_of(rows)
      rows.map { |row| row.map { |name, value| "#{name}: #{value}" }.join(", ") }.join("\n")
    end
  end

  def initialize(rows)
    @phases = rows.each.with_index(1).map { |row, number| Phase.new(row, number) }
  end

  # Returns the validation error in words, or nil.
  def complaint
    return "has #{phases.size} phases, and may have #{MOST}" if phases.size > MOST
    return if phases.empty?

    wrong = phases.find(&:complaint)
    return "#{wrong.in_words} #{wrong.complaint}" if wrong

    twice = phases.map(&:name).tally.find { |_, count| count > 1 }&.first
    "has two phases with the name #{twice}: give each a name of its own" if twice
  end

  def any?
    phases.any?
  end

  # Returns the longest time that the phases can take [s].
  def seconds
    phases.sum { |phase| phase.seconds.to_i }
  end

  # Returns the first rate, as a setting of clients; nil if there is none.
  def first_rate
    phases.filter_map(&:rate).reject { |rate| rate.match?(Phase::ZERO) }.first&.split(" to ")&.first
  end

  # Returns whether the first phase replaces the rate of the warm-up.
  def rate_first?
    phases.first&.rate.present?
  end

  def rates?
    phases.any?(&:rate)
  end

  def pauses?
    phases.any?(&:paused?)
  end

  # Returns the setting of a load client. with_rates: whether its rate changes; takes: whether pauses concern it.
  def to_setting(with_rates:, takes:)
    phases.map { |phase|
      [ "#{phase.name}:", *("until" if phase.until?), "#{phase.seconds}s", *(phase.rate if with_rates),
        *("paused" if takes && phase.paused?) ].join(" ")
    }.join("; ")
  end
end
