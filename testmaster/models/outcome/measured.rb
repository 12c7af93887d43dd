# The figures of a run from its samples; they are stored once the run has ended.
module Outcome::Measured
  COLUMNS = %w[ rate mean p99 ok errors late ]
  VALUES = [ *COLUMNS, *MessageRates::COUNTS ].map { |name| Arel.sql("(figures ->> ?)::float", name) }
  MEAN_OF_REQUESTS = "sum((figures ->> 'mean')::float * (figures ->> 'rate')::float) / " \
    "nullif(sum((figures ->> 'rate')::float) FILTER (WHERE figures ->> 'mean' IS NOT NULL), 0)"
  MERGED = COLUMNS.map do |name|
    case name
    when "rate" then Arel.sql("avg((figures ->> 'rate')::float)")
    when "mean" then Arel.sql(MEAN_OF_REQUESTS)
    else Arel.sql("max((figures ->> ?)::float)", name)
    end
  end
  COUNTED = %w[ sent received ] # their lines are rates
  SECOND = "date_part('epoch', at - ?::timestamp)" # extract returns numeric, which is slow to compute with

  # counts is [ [ position, second of the last count, count ], … ], in steps of a length in seconds. Returns
  # [ [ position, growth per second ], … ] without what was counted over a gap.
  def self.growth(counts, length)
    longest = [ AbortCondition::GAP, 2 * length ].max
    counts.each_cons(2).filter_map do |(_, from, before), (position, to, after)|
      [ position, (after - before).fdiv(to - from) ] if to > from && to - from <= longest
    end
  end

  # See Measurement#to_h. During the load it is computed from the steps at each request.
  def measurement
    @measurement ||= ended? ? figures : with_percentiles_so_far(measure(steps.map(&:as_sample)), times_at_hand)
  end

  # Returns whether there are figures and logs of a load.
  def measured?
    ended? && archive.attached? && !!load_starts_at
  end

  # Returns the seconds since the start of the load that the figures of an ended run cover.
  def seconds_covered
    exact = figures["exact"]
    if covered = exact&.fetch("throughput", nil) ? exact["count"] / exact["throughput"] : figures["seconds"]
      from = run.seconds_of_load > warmup ? warmup : 0
      from..(from + covered)
    end
  end

  # Returns the lines of charts: { "rate" => [ [ seconds since the start of the load, value ], … ], … }. Each step of
  # the load is the mean, the worst or the last of its seconds; the mean response time is that of its requests.
  def lines
    @lines ||= COLUMNS.index_with { [] }.tap do |lines|
      length = TestRun::Step.length_in(run)
      steps.group_by(&:position).each do |position, parts|
        points_of(parts).each { |name, value| lines[name] << [ (position * length).to_f, value ] if value }
      end
      lines.merge! COUNTED.index_with { |name| growth_in_steps(name, length) }
    end
  end

  # Groups the seconds of the load by steps of a length, as [ position, *values of COLUMNS, last second, *last counts of
  # COUNTED ], with mean, worst or last as in lines.
  def seconds_by(length, positions)
    return [] if positions.none?

    times = [ positions.begin, positions.end + 1 ].map { |position| load_starts_at + position * length }
    position = ActiveRecord::Base.sanitize_sql([ "floor(#{SECOND} / ?)::int", start_of_load, length ])
    samples.where(at: times.first...times.last).reorder(nil).group(Arel.sql(position))
      .pluck(Arel.sql(position), *MERGED, Arel.sql("max(#{SECOND})", start_of_load), *COUNTED.map { |name|
        Arel.sql("max((figures ->> ?)::float)", name) })
  end

  # Computes the figures of an ended run from the samples of each second.
  def figures_measured
    measured = measure(seconds_measured)
    measured.any? ? with_percentiles_so_far(measured, times_of_clients) : measured
  end

  private
    def points_of(parts)
      largest = { "p99" => :worst_p99, "ok" => :ok, "errors" => :errors_counted,
        "late" => :late }.transform_values { |column| parts.filter_map(&column).max }
      { "rate" => mean_of(parts, :rate, :samples), "mean" => mean_of(parts, :mean, :answered), **largest }
    end

    def growth_in_steps(name, length)
      Outcome::Measured.growth(steps.group_by(&:position).filter_map { |position, parts|
        count = parts.filter_map { |part| part[name] }.max
        [ (position * length).to_f, parts.map(&:last_second).max, count ] if count
      }, length)
    end

    def mean_of(parts, figure, number)
      known = parts.select { |part| part[figure] && part.public_send(number)&.positive? }
      known.sum { |part| part[figure] * part.public_send(number) } / known.sum(&number) if known.any?
    end

    def measure(samples)
      Measurement.new(samples, steady: steady_seconds, duration: duration.to_f).to_h
    end

    def seconds_measured
      return [] unless load_starts_at

      samples.where(at: load_starts_at..).pluck(Arel.sql(SECOND, start_of_load), *VALUES)
        .map { |second, *values| Measurement::Sample.new(second.to_f, *values) }
    end

    def start_of_load
      load_starts_at.utc.strftime("%F %T.%6N")
    end

    # Adds percentiles of all requests between warm-up and cool-down, as clients counted them until their last
    # observation. Failed requests count as longer than any successful one.
    def with_percentiles_so_far(measured, texts)
      times = ResponseTimes.sum(texts)
      return measured if times.count.zero?

      measured.merge("so_far" => times.told(figures_told, failed: measured["errors"].to_i))
    end

    def times_at_hand
      jvms.loaded? ? jvms.select(&:client?).filter_map(&:times) : times_of_clients
    end

    def times_of_clients
      jvms.client.where.not(times: nil).reorder(nil).pluck(:times)
    end
end
