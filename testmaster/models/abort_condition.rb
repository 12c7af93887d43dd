# When a run is not worth its time any more: a threshold that is crossed for so long, such as "errors > 50 % for 10 s".
class AbortCondition
  FORMAT = /\A(?<threshold>.+?)\s+for\s+(?<time>\d+\s*(?:s|min|h))\z/
  EXAMPLES = [ "errors > 50 % for 10 s", "p99 > 5 s for 1 min" ]

  GAP = 3 # seconds between two samples, from which on nobody knows what was in between

  attr_reader :text

  def initialize(text)
    @text = text.to_s.strip
    @match = FORMAT.match(@text) if @text.size <= Threshold::LONGEST
    @threshold = Threshold.new(@match[:threshold]) if @match
  end

  def valid?
    @match.present? && @threshold.valid? && seconds.to_i.positive?
  end

  def seconds
    Duration.parse(@match[:time])
  end

  # samples: in order of time. Each second of the last ones must cross the threshold; seconds that say nothing, or that
  # nobody measured, do not.
  def met_by?(samples)
    recent = samples.select { |sample| sample.at >= samples.last.at - seconds }
    recent.size > 1 && recent.last.at - recent.first.at >= seconds - 1.5 && recent.each_cons(2).all? do |before, after|
      after.at - before.at < GAP && @threshold.met?(figures(before, after))
    end
  end

  private
    # As Measurement tells those of a whole run. Counters are cumulative, so what happened in between is their
    # difference.
    def figures(before, after)
      counts = %w[ ok errors late ].index_with { |name| after.figures[name].to_i - before.figures[name].to_i }
      counts.merge %w[ rate mean p99 ].index_with { |name| { "value" => after.figures[name] } }
    end
end
