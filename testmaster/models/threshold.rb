# A condition on the figures of a run, as people write it: "errors < 1 %", "p99 < 500 ms", "throughput > 100 /s". The
# action may be named, where it is that of the requests that went well.
class Threshold
  FORMAT =
    %r{\A(?<measure>throughput|mean|p99|errors|late)(?:\(#{Regexp.escape System.default.requests}\))?\s*
      (?<relation><=?|>=?)\s*(?<limit>\d+(?:\.\d+)?)\s*(?<unit>us|ms|s|%|/s)\z}x
  UNITS = { "throughput" => { "/s" => 1 }, "mean" => { "us" => 1, "ms" => 1000, "s" => 1_000_000 },
    "p99" => { "us" => 1, "ms" => 1000, "s" => 1_000_000 },
    "errors" => { "%" => 1 }, "late" => { "%" => 1 } }
  EXAMPLES = [ "errors < 1 %", "p99 < 500 ms", "mean < 20 ms", "late < 0.5 %", "throughput > 100 /s" ]

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

  # What the figures say, in us, 1/s or per cent; nil where they say nothing. See Measurement#to_h; what the logs say
  # exactly goes before it.
  def value(figures)
    case measure
    when "throughput"     then figures.dig("exact", measure) || figures.dig("rate", "value")
    when "mean", "p99"    then figures.dig("exact", measure) || figures.dig(measure, "value")
    when "errors", "late" then share(figures)
    end
  end

  def met?(figures)
    value(figures)&.public_send(relation, limit)
  end

  private
    def factor
      UNITS.dig(@match[:measure], @match[:unit])
    end

    def share(figures)
      all = figures["ok"].to_i + figures["errors"].to_i
      figures[measure].to_i * 100.0 / all if all.positive?
    end
end
