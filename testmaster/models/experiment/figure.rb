# One figure of a point: the mean of its runs with a 95 % interval by Student's t.
class Experiment::Figure
  # Two-sided 95 %, by degrees of freedom; beyond them the last one, which is a little too wide.
  T = [ nil, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042 ]
  UNITS = { "throughput" => "1/s", "mean" => "ms", "p50" => "ms", "p95" => "ms", "p99" => "ms", "max" => "ms",
    "errors" => "%", "late" => "%" }
  NAMES, TIMES = UNITS.keys, %w[ mean p50 p95 p99 max ]

  class << self
    # { "throughput" => 812.5, "p99" => 12.3, … } of a run, without those that were not measured
    def of(run)
      exact = run.figures["exact"] || {}
      times = TIMES.to_h { |name| [ name, exact[name]&.fdiv(1000) ] }
      { "throughput" => exact["throughput"] || run.figures.dig("rate", "value"), **times,
        "errors" => share(run, "errors"), "late" => share(run, "late") }.compact
    end

    # What a run comes to as a row of a table, and as a try of a search
    def of_try(run)
      queue = run.figures.fetch("queue", {})
      of(run).merge("fixed_work" => run.fixed_work, "queue trend" => queue["trend"],
        Experiment::Condition::STEADY => queue["steady"]).compact
    end

    # The same, of a row of a table of the log analyzer
    def in_row(row)
      named = NAMES.to_h { |name| [ name, row[column(name)] ] }
      named.merge("queue trend" => row["queue trend [1/s]"], Experiment::Condition::STEADY => row["queue steady"])
        .compact_blank.transform_values(&:to_f)
    end

    # As tables for the log analyzer call it
    def column(name)
      "#{name} [#{UNITS.fetch(name)}]"
    end

    private
      def share(run, name)
        all = run.figures["ok"].to_i + run.figures["errors"].to_i
        run.figures[name].to_i * 100.0 / all if all.positive?
      end
  end

  attr_reader :name, :values

  def initialize(name, values)
    @name, @values = name, values
  end

  def unit
    UNITS.fetch(name)
  end

  def n
    values.size
  end

  def mean
    values.sum.fdiv(n) if n.positive?
  end

  # nil where one run says nothing about others
  def half_width
    if n > 1
      variance = values.sum { |value| (value - mean)**2 } / (n - 1)
      (T[n - 1] || T.last) * Math.sqrt(variance / n)
    end
  end

  def low
    [ mean - half_width, 0 ].max if half_width
  end

  def high
    mean + half_width if half_width
  end

  def within?(percent)
    half_width && half_width <= mean.abs * percent / 100.0
  end

  def as_json(*)
    { "mean" => mean, "low" => low, "high" => high, "n" => n }
  end
end
