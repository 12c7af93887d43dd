# One figure of a point: the mean of its runs with a 95 % interval by Student's t.
class Experiment::Estimate
  BEYOND = { "drain" => "not drained", "recovery" => "not recovered" }

  class << self
    # Returns { "throughput" => 812.5, "p99" => 12.3, … } of a run in plain units, without figures that were not
    # measured or whose times lie among failed requests. figures are those of the table and further requested ones.
    def of(run, figures = Figure.of(:try))
      measured = run.figures.slice("exact", "rate", "messages", "ok", "errors", "late")
      beyond = BEYOND.filter_map { |name, words| [ words, 1 ] if measured.dig("exact", "at_least", name) }
      figures.to_h { |it| [ it.name, it.value(measured)&.then { |value| it.plain(value) if value.finite? } ] }
        .merge(beyond.to_h).compact
    end

    # Returns the figures of a run as a row of a table, and as a try of a search.
    def of_try(run, figures = Figure.of(:try))
      queue = run.figures.fetch("queue", {})
      of(run, figures).merge("fixed_work" => run.outcome.fixed_work, "queue trend" => queue["trend"],
        Condition::STEADY => queue["steady"]).compact
    end

    # Returns the same figures from a row of a table of the log analyzer.
    def in_row(row, figures = Figure.of(:try))
      named = figures.to_h { |figure| [ figure.name, row[figure.column] ] }
      named.merge("queue trend" => row["queue trend [1/s]"], Condition::STEADY => row["queue steady"])
        .compact_blank.transform_values(&:to_f)
    end

    # measured has the figures of each run. A percentile or the longest time has no mean if it lies among failed
    # requests in one of them, because the mean of the others is too good. Neither has a time of messages, of which the
    # longest never came, nor the time to drain or recover, if one run did not.
    def over(name, measured)
      reason = why_too_good(name, measured)
      new name, reason ? [] : measured.filter_map { |it| it[name] }, why_unknown: reason
    end

    private
      def why_too_good(name, measured)
        figure, without = Figure[name], measured.select { |it| it[name].nil? }
        beyond = BEYOND.key?(name) ? measured.count { |it| it[BEYOND[name]] } : 0
        if beyond.positive?
          "#{BEYOND[name]} in #{beyond} of #{measured.size}"
        elsif figure&.of_messages?
          "not told in #{without.size} of #{measured.size}" if without.size.in?(1...measured.size)
        elsif figure&.rank && (failed = without.count { |it| it["errors"].to_f.positive? }).positive?
          "among failed requests in #{failed} of #{measured.size}"
        end
      end
  end

  attr_reader :name, :values, :why_unknown

  def initialize(name, values, why_unknown: nil)
    @name, @values, @why_unknown = name, values, why_unknown
  end

  def n
    values.size
  end

  def mean
    values.sum.fdiv(n) if n.positive?
  end

  # Returns nil for a single run and for equal values, such as no errors in each: they tell nothing about the spread.
  def half_width
    if values.uniq.many?
      variance = values.sum { |value| (value - mean)**2 } / (n - 1)
      StudentT.two_sided(n - 1) * Math.sqrt(variance / n)
    end
  end

  def low
    [ mean - half_width, 0 ].max if half_width
  end

  def high
    mean + half_width if half_width
  end

  def within?(percent)
    n > 1 && half_width.to_f <= mean.abs * percent / 100.0
  end

  def as_json(*)
    { "mean" => mean, "low" => low, "high" => high, "n" => n, **({ "reason" => why_unknown } if why_unknown).to_h }
  end
end
