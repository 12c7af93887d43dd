# What a run has measured so far, from its samples; kept once it has ended.
module TestRun::Measured
  extend ActiveSupport::Concern

  COLUMNS = %w[ rate mean p99 ok errors late ]
  POINTS = 240 # of a line in a chart

  included do
    before_save :keep_figures, if: -> { state_changed? && ended? }
  end

  # See Measurement#to_h.
  def measurement
    @measurement ||= ended? ? figures : measure
  end

  def reload(...)
    @measurement = nil
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
    load_starts_at ? ((ended_at || Time.current) - load_starts_at).clamp(0, duration) : 0
  end

  # A line for a chart: [ [ seconds since the start of the load, value ], … ], the largest or the mean of each step.
  def line(name, by: :average)
    return [] unless load_starts_at

    step = (duration / POINTS.to_f).ceil
    value = Arel.sql("(figures ->> '#{COLUMNS.fetch(COLUMNS.index(name))}')::float")
    second = Arel.sql("floor(#{second_sql} / #{step}) * #{step}")
    samples.reorder(nil).where(at: load_starts_at..).group(second).public_send(by, value).compact.transform_keys(&:to_f).sort
  end

  private
    def measure
      Measurement.new(seconds_measured, steady: steady_seconds, duration: duration.to_f).to_h
    end

    def seconds_measured
      return [] unless load_starts_at

      columns = COLUMNS.map { |name| Arel.sql("(figures ->> '#{name}')::float") }
      samples.where(at: load_starts_at..).pluck(Arel.sql(second_sql), *columns).map { |row| Measurement::Sample.new(row.first.to_f, *row.drop(1)) }
    end

    def second_sql
      self.class.sanitize_sql([ "extract(epoch from at - ?::timestamp)", load_starts_at.utc.to_fs(:db) + format(".%06d", load_starts_at.usec) ])
    end

    def keep_figures
      self.figures = measure
    end
end
