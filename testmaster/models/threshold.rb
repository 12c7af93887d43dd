# A condition on the figures of a run, as people write it: "errors < 1 %", "p99 < 500 ms", "throughput > 100 /s". The
# action may be named, where it is that of the requests that went well.
class Threshold
  include ActiveSupport::NumberHelper

  FORMAT =
    %r{\A(?<measure>throughput|mean|p99|errors|late)(?:\(#{Regexp.escape System.default.requests}\))?\s*
      (?<relation><=?|>=?)\s*(?<limit>\d+(?:\.\d+)?)\s*(?<unit>us|ms|s|%|/s)\z}x
  UNITS = { "throughput" => { "/s" => 1 }, "mean" => { "us" => 1, "ms" => 1000, "s" => 1_000_000 },
    "p99" => { "us" => 1, "ms" => 1000, "s" => 1_000_000 },
    "errors" => { "%" => 1 }, "late" => { "%" => 1 } }
  EXAMPLES = [ "errors < 1 %", "p99 < 500 ms", "mean < 20 ms", "late < 0.5 %", "throughput > 100 /s" ]

  SUBJECTS = { "throughput" => "Throughput was", "mean" => "The mean was", "p99" => "p99 was",
    "errors" => "Errors were", "late" => "Late starts were" }
  RELATIONS = { "<" => "below", "<=" => "at most", ">" => "above", ">=" => "at least" }

  LONGEST = 100 # characters

  attr_reader :text, :measure, :relation, :limit

  def initialize(text)
    @text = text.to_s.strip
    @match = FORMAT.match(@text) if @text.size <= LONGEST

    if valid?
      @measure, @relation = @match.values_at(:measure, :relation)
      @limit = @match[:limit].to_f * factor
    end
  end

  def valid?
    @match.present? && factor.present?
  end

  # What the figures say, in us, 1/s or per cent; infinite where a percentile lies among requests that failed, nil where
  # they say nothing. See Measurement#to_h; what the logs say exactly, and what histograms say so far, goes before it.
  def value(figures)
    case measure
    when "throughput"     then figures.dig("exact", measure) || figures.dig("rate", "value")
    when "mean", "p99"
      told = figures["exact"] || figures["so_far"] || {}
      return Float::INFINITY if told.dig("at_least", measure) || measure == "p99" && all_failed?(figures)

      told[measure] || figures.dig(measure, "value")
    when "errors", "late" then share(figures)
    end
  end

  def met?(figures)
    value(figures)&.public_send(relation, limit)
  end

  # How many times the value is beyond its limit
  def excess(figures)
    part, whole = [ value(figures), limit ].then { |pair| upper? ? pair : pair.reverse }
    whole.zero? ? Float::INFINITY : part.to_f / whole
  end

  # "p99 was 612.0 ms, but must be below 500 ms: 22 % over."
  def breach_in_words(figures)
    "#{SUBJECTS[measure]} #{in_words value(figures)}, but must be #{RELATIONS[relation]} #{@match[:limit]} " \
      "#{@match[:unit]}#{distance_in_words figures}."
  end

  # A value of its measure: "612.0 ms"
  def in_words(value)
    return "among requests that failed" if value == Float::INFINITY

    case measure
    when "throughput"     then "#{rounded value, value < 100 ? 1 : 0} /s"
    when "errors", "late" then "#{rounded value, value.zero? || value >= 1 ? 1 : 3} %"
    else "#{rounded value / 1000.0, value < 1000 ? 2 : value < 1_000_000 ? 1 : 0} ms"
    end
  end

  private
    def upper?
      relation.start_with?("<")
    end

    def distance_in_words(figures)
      times, part = excess(figures), value(figures) / limit if limit.positive?
      case
      when times.nil? || times.infinite? || part == 1 then ""
      when !upper?                 then ": #{rounded (1 - part) * 100, 0} % under"
      when times < 2               then ": #{rounded (times - 1) * 100, 0} % over"
      else ": #{rounded times, times < 10 ? 1 : 0} times the limit"
      end
    end

    def rounded(value, precision)
      number_to_rounded value, precision: precision, delimiter: ","
    end

    def factor
      UNITS.dig(@match[:measure], @match[:unit])
    end

    def all_failed?(figures)
      figures["ok"] == 0 && figures["errors"].to_i.positive?
    end

    def share(figures)
      all = figures["ok"].to_i + figures["errors"].to_i
      figures[measure].to_i * 100.0 / all if all.positive?
    end
end
