# Sums up the samples of a run with their uncertainty: ratios with a 95 % interval by batches, because successive
# seconds are correlated.
class Measurement
  BATCHES = 10
  SPARK = 48

  # weight is the number of seconds of which it is the mean, if not one.
  Sample = Struct.new(:second, :rate, :mean, :p99, :ok, :errors, :late, :sent, :received, :takes, :empty_takes,
    :weight) do
    def initialize(*)
      super
      self.weight ||= 1
    end

    # Returns the number of requests that got their response; nil if it is unknown.
    def answered
      rate && rate * weight
    end
  end

  # samples are in order of time. steady is the measurement interval, in seconds since the start of the load.
  def initialize(samples, steady:, duration:)
    @all = samples
    @bounds = samples.any? && samples.last.second > steady.begin ? steady : 0..duration
    @steady = samples.select { |sample| steady.cover?(sample.second) }.presence || samples
    @duration = duration
  end

  # Rates are in 1/s, times in us, shares in per cent.
  def to_h
    return {} if @all.empty?

    { "seconds" => @steady.sum(&:weight), "rate" => interval(:rate, :weight), "mean" => interval(:mean, :answered),
      "p99" => spread(&:p99),
      "ok" => total("ok"), "errors" => total("errors"), "late" => total("late"), "messages" => messages.presence,
      "spark" => spark }.compact
  end

  private
    # Returns the mean of a figure, of which each sample has the mean over a number of seconds or requests.
    def interval(figure, number)
      pairs = @steady.filter_map do |sample|
        value, count = sample[figure], sample.public_send(number)
        [ value * count, count ] if value && count
      end
      mean = ratio(pairs) or return

      doubt = half_width(pairs)
      { "value" => mean.round(2), "low" => doubt && [ mean - doubt, 0 ].max.round(2),
        "high" => doubt && (mean + doubt).round(2) }.compact
    end

    # Returns nil if nothing was counted.
    def ratio(pairs)
      sum, count = sums(pairs)
      sum / count.to_f if count.positive?
    end

    def sums(pairs)
      [ pairs.sum(&:first), pairs.sum(&:last) ]
    end

    # Source: W. G. Cochran, Sampling Techniques, chapter 6: the error of a ratio of sums over batches.
    def half_width(pairs)
      size = pairs.size / BATCHES
      return if size < 2

      batches = pairs.last(size * BATCHES).each_slice(size).map { |batch| sums(batch) }
      centre = ratio(batches) or return
      squares = batches.sum { |sum, count| (sum - centre * count)**2 }
      StudentT.two_sided(BATCHES - 1) * Math.sqrt(squares * BATCHES / (BATCHES - 1)) / batches.sum(&:last)
    end

    # Percentiles of seconds cannot be averaged, so this returns the median second and the range of 95 % of them.
    def spread
      known = @steady.select { |sample| yield sample }.sort_by { |sample| yield sample }
      if known.any?
        { "value" => 0.5, "low" => 0.025, "high" => 0.975 }.transform_values { |share| yield quantile(known, share) }
      end
    end

    def quantile(sorted, share)
      left = (share * (sorted.sum(&:weight) - 1)).round
      sorted.find { |sample| (left -= sample.weight).negative? }
    end

    # Counters only rise, so the difference over the measurement interval includes seconds without a sample.
    def total(name)
      counts = counts_of(name)
      (count_at(@bounds.end, counts) - count_at(@bounds.begin, counts)).round if counts.any?
    end

    def messages
      to = [ @bounds.end, @all.last.second ].min
      before, after = [ @bounds.begin, to ].map do |second|
        MessageRates::COUNTS.index_with { |name| counts_of(name).presence&.then { |counts| count_at(second, counts) } }
      end
      MessageRates.between(before, after, to - @bounds.begin)
    end

    def counts_of(name)
      @all.filter_map { |sample| sample[name]&.then { |count| [ sample.second, count ] } }
    end

    # It interpolates between the samples around it, however far apart they are.
    def count_at(second, counts)
      (from, before), (to, after) = counts.reverse.find { |at, _| at <= second } || [ 0, 0 ],
        counts.find { |at, _| at > second }
      after ? before + (after - before) * (second - from) / (to - from).to_f : before
    end

    def spark
      buckets = @all.group_by { |sample| (sample.second / @duration * SPARK).floor.clamp(0, SPARK - 1) }
      (0..buckets.keys.max).map do |n|
        buckets[n]&.then { |samples| (samples.sum { |sample| sample.rate.to_f } / samples.size).round(1) }
      end
    end
end
