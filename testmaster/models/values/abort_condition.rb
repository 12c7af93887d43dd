# A condition that aborts a run when it holds for a time, such as "errors > 50 % for 10 s".
class AbortCondition
  FORM = /\A(?<condition>.+?)\s+for\s+(?<time>\d+\s*(?:s|min|h))\z/
  LASTING = [ "10 s", "1 min" ] # of the examples

  GAP = 3 # seconds between two samples, beyond which the time between is unknown

  attr_reader :text

  def self.examples
    Condition.examples(:live).zip(LASTING).map { |condition, time| "#{condition} for #{time}" }
  end

  def initialize(text)
    @text = text.to_s.strip
    @match = FORM.match(@text) if @text.size <= Condition::LONGEST
    @condition = Condition.new(@match[:condition], :live) if @match
  end

  def figure
    @condition&.figure
  end

  def valid?
    complaint.nil?
  end

  # The error is worded to follow the quoted text.
  def complaint
    return @condition.complaint if @condition&.complaint

    "must be such as #{self.class.examples.map(&:inspect).join(" or ")}" unless @match && seconds.to_i.positive?
  end

  def seconds
    Duration.parse(@match[:time])
  end

  # samples are in order of time. The condition must hold in each of the last seconds; it does not hold in seconds
  # without a value.
  def met_by?(samples)
    first = samples.rindex { |sample| sample.at <= samples.last.at - seconds } or return false
    samples.drop(first).each_cons(2).all? do |before, after|
      after.at - before.at < GAP && holds_between?(before, after)
    end
  end

  private
    def holds_between?(before, after)
      value(figures(before, after))&.then { |value| @condition.holds?(value) }
    end

    def value(figures)
      figure.value(figures)
    end

    def messages(before, after)
      passed = [ before, after ].map { |figures| figures["counted_ms"] }
      passed.all? ? MessageRates.between(before, after, (passed.last - passed.first) / 1000.0) : {}
    end

    # Uses the format of Measurement for a whole run. Counters are cumulative, so their difference covers the time
    # between. Clients of earlier versions report p99 as the only time of a second.
    def figures(before, after)
      counts = %w[ ok errors late ].index_with { |name| after.figures[name].to_i - before.figures[name].to_i }
      counts.merge %w[ rate mean p99 e2e_p99 ack_p99 backlog ].index_with { |name| { "value" => after.figures[name] } },
        { "so_far" => after.figures["times"],
          "messages" => messages(before.figures, after.figures) }.compact
    end
end
