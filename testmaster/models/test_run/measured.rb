# What a run has measured so far, from its samples; kept once it has ended.
module TestRun::Measured
  extend ActiveSupport::Concern

  COLUMNS = %w[ rate mean p99 ok errors late ]
  AVERAGED = %w[ rate mean ] # of the others the largest is taken
  VALUES = COLUMNS.map { |name| Arel.sql("(figures ->> ?)::float", name) }
  STEPS = COLUMNS.map { |name| name.in?(AVERAGED) ? Arel.sql("avg((figures ->> ?)::float)", name) : Arel.sql("max((figures ->> ?)::float)", name) }
  SECOND = "extract(epoch from at - ?::timestamp)"
  STEP = "floor(extract(epoch from at - :start::timestamp) / :length) * :length"
  FIRST_COLUMN = Arel.sql("1")
  POINTS = 240 # of a line in a chart

  included do
    before_save :keep_figures, if: -> { state_changed? && ended? }
  end

  # See Measurement#to_h.
  def measurement
    @measurement ||= ended? ? figures : measure
  end

  def reload(...)
    @measurement = @lines = nil
    super
  end

  # Seconds since the start of the load that count: without warm-up and cool-down.
  def steady_seconds
    warmup..(duration - cooldown)
  end

  def steady_duration
    duration - warmup - cooldown
  end

  # Seconds since the start of the load, at most the planned ones
  def seconds_of_load
    load_starts_at ? ((cancelled_at || ended_at || Time.current) - load_starts_at).clamp(0, duration) : 0
  end

  # What charts draw, each step of the load as the mean or the worst of its seconds:
  # { "rate" => [ [ seconds since the start of the load, value ], … ], … }
  def lines
    @lines ||= steps_of_load.each_with_object(COLUMNS.index_with { [] }) do |(second, *values), lines|
      COLUMNS.zip(values) { |name, value| lines[name] << [ second.to_f, value ] if value }
    end
  end

  private
    def measure
      Measurement.new(seconds_measured, steady: steady_seconds, duration: duration.to_f).to_h
    end

    def seconds_measured
      return [] unless load_starts_at

      samples.where(at: load_starts_at..).pluck(Arel.sql(SECOND, start_of_load), *VALUES)
        .map { |second, *values| Measurement::Sample.new(second.to_f, *values) }
    end

    def steps_of_load
      return [] unless load_starts_at

      step = Arel.sql(STEP, start: start_of_load, length: (duration / POINTS.to_f).ceil)
      samples.reorder(FIRST_COLUMN).where(at: load_starts_at..).group(FIRST_COLUMN).pluck(step, *STEPS)
    end

    def start_of_load
      load_starts_at.utc.strftime("%F %T.%6N")
    end

    def keep_figures
      self.figures = measure
    end
end
