# The response times [us] that client JVMs have measured so far, as histograms that add up:
# see "times" in docs/reference/logs.md.
class ResponseTimes
  # https://github.com/HdrHistogram/HdrHistogram, AbstractHistogram: the compressed form wraps the plain one, both of
  # version 2.
  COMPRESSED, PLAIN = 0x1c849314, 0x1c849313
  HEADER = 40 # bytes of the plain form before its counts
  LONGEST = 1.megabyte # a machine may send anything; the widest histogram takes a tenth of it
  DIGITS = 1..3

  class Malformed < StandardError
  end

  # What is no histogram counts as none: it was written on a machine.
  def self.sum(texts)
    texts.each_with_object(new) do |text, sum|
      sum.add text
    rescue Malformed => error
      Rails.logger.warn "Response times of a client cannot be read: #{error.message}"
    end
  end

  # counts: by the highest value that is counted there [us]
  def initialize(counts = {})
    @counts = Hash.new(0).merge(counts)
  end

  def add(text)
    counts = read(text)
    counts.each { |value, count| @counts[value] += count }
  end

  # What came since an earlier sum of the same histograms. Rounding may move a value on as counts come, so a count that
  # is less than it was is none.
  def -(earlier)
    self.class.new(counts.to_h { |value, count| [ value, [ count - earlier.counts.fetch(value, 0), 0 ].max ] })
  end

  # [us], to within the histograms' rounding
  def mean
    @counts.sum { |value, count| value * count }.fdiv(count)
  end

  def count
    @counts.each_value.sum
  end

  # [us]; nil where there are none
  def max
    @counts.keys.max
  end

  # The highest time [us] of the fastest requests that make up so many per cent; nil where there are none, or where it
  # lies among those that failed, which are in no histogram and count as longer than all others.
  def percentile(percent, failed: 0)
    left = [ ((count + failed) * percent / 100.0).ceil, 1 ].max
    @counts.keys.sort.find { |value| (left -= @counts[value]) <= 0 }
  end

  # { "count", "p50", "max", …, "at_least" => { "max" } }: the times of the figures; at_least has a lower bound of
  # those that lie among requests that failed.
  def told(figures, failed: 0)
    told = figures.select(&:rank).to_h { |it| [ it.name, percentile(it.rank, failed: failed) ] }
    at_least = told.select { |_, time| time.nil? }.transform_values { max }.compact
    { "count" => count, **told.compact, "at_least" => at_least.presence }.compact
  end

  protected
    attr_reader :counts

  private
    def read(text)
      plain = inflate(text)
      cookie, length, offset, digits, lowest = plain.unpack("l> l> l> l> q>")
      unless cookie == PLAIN && digits.in?(DIGITS) && lowest == 1 && offset == 0 && length == plain.bytesize - HEADER
        raise Malformed, "not a histogram of whole numbers of version 2"
      end
      counts_by_value(plain.byteslice(HEADER..), Math.log2(2 * 10**digits).ceil)
    end

    def inflate(text)
      bytes = text.to_s.unpack1("m0")
      raise Malformed, "not compressed as version 2" unless bytes.unpack1("l>") == COMPRESSED

      plain, inflater = +"", Zlib::Inflate.new
      inflater.inflate(bytes.byteslice(8..)) do |part|
        raise Malformed, "longer than #{LONGEST} bytes" if (plain << part).bytesize > LONGEST
      end
      plain.bytesize >= HEADER ? plain : raise(Malformed, "cut off")
    rescue ArgumentError, Zlib::Error => error
      raise Malformed, error.message
    ensure
      inflater&.close
    end

    # A negative number stands for so many values that were not seen.
    def counts_by_value(bytes, magnitude)
      index, counts = 0, {}
      each_number(bytes) do |number|
        counts[highest_value(index, magnitude)] = number if number.positive?
        index += number.negative? ? -number : 1
        raise Malformed, "values beyond a day" if index > (64 << magnitude)
      end
      counts
    end

    # LEB128 of at most nine bytes, of which the last has eight bits; the sign is in the lowest bit.
    def each_number(bytes)
      number = shift = 0
      bytes.each_byte do |byte|
        if shift == 56 || byte < 128
          number |= byte << shift
          yield (number >> 1) ^ -(number & 1)
          number = shift = 0
        else
          number |= (byte & 127) << shift
          shift += 7
        end
      end
    end

    # Values are counted one by one up to 2^magnitude, from there in steps that double as the values do.
    def highest_value(index, magnitude)
      half = 1 << (magnitude - 1)
      bucket = [ index / half - 1, 0 ].max
      within = index - bucket * half
      ((within + 1) << bucket) - 1
    end
end
