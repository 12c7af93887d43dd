# The response times [us] that client JVMs have measured so far, as histograms that can be added: see "times" in
# docs/reference/logs.md.
class ResponseTimes
  # Source: https://github.com/HdrHistogram/HdrHistogram, AbstractHistogram. The compressed form wraps the plain one,
  # both of version 2.
  COMPRESSED, PLAIN = 0x1c849314, 0x1c849313
  HEADER = 40 # bytes of the plain form before its counts
  LONGEST = 1.megabyte # a machine may send anything; the largest histogram needs a tenth of it
  DIGITS = 1..3

  class Malformed < StandardError
  end

  # Text that is no histogram counts as none, as it comes from a machine.
  def self.sum(texts)
    texts.each_with_object(new) do |text, sum|
      sum.add text
    rescue Malformed => error
      Rails.logger.warn "Response times of a client cannot be read: #{error.message}"
    end
  end

  # counts has the number of values by the highest value that each bucket can hold [us].
  def initialize(counts = {})
    @counts = Hash.new(0).merge(counts)
  end

  def add(text)
    counts = read(text)
    counts.each { |value, count| @counts[value] += count }
  end

  # Returns the values that were added since an earlier sum of the same histograms. Rounding may move a value to another
  # bucket, so a count that has decreased counts as none.
  def -(earlier)
    added = counts.to_h { |value, count| [ value, count - earlier.counts.fetch(value, 0) ] }
    self.class.new(added.select { |_, count| count.positive? })
  end

  # Returns us, within the rounding of the histograms.
  def mean
    @counts.sum { |value, count| value * count }.fdiv(count)
  end

  def count
    @counts.each_value.sum
  end

  # Returns us; nil if there are no values.
  def max
    @counts.keys.max
  end

  # Returns the percentile [us]: the highest time of the fastest requests that make up so many per cent. Failed requests
  # are in no histogram and count as longer than all others. Returns nil without values, or if the percentile lies among
  # failed requests.
  def percentile(percent, failed: 0)
    left = [ ((count + failed) * percent / 100.0).ceil, 1 ].max
    @counts.keys.sort.find { |value| (left -= @counts[value]) <= 0 }
  end

  # Returns { "count", "p50", "max", …, "at_least" => { "max" } }; at_least has the lower bounds of times that lie among
  # failed requests.
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

    # A negative number -n stands for n empty buckets.
    def counts_by_value(bytes, magnitude)
      index, counts = 0, {}
      each_number(bytes) do |number|
        counts[highest_value(index, magnitude)] = number if number.positive?
        index += number.negative? ? -number : 1
        raise Malformed, "values beyond a day" if index > (64 << magnitude)
      end
      counts
    end

    # The format is LEB128 of at most nine bytes; the last byte has eight bits, and the lowest bit is the sign.
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

    # Buckets have the width 1 up to 2^magnitude; from there the width doubles as the values do.
    def highest_value(index, magnitude)
      half = 1 << (magnitude - 1)
      bucket = [ index / half - 1, 0 ].max
      within = index - bucket * half
      ((within + 1) << bucket) - 1
    end
end
