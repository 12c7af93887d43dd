# A condition that judges an ended run, such as "errors < 1 %", "p99 < 500 ms" or "throughput > 100 /s".
class Threshold
  include ActiveSupport::NumberHelper

  RELATIONS = { "<" => "below", "<=" => "at most", ">" => "above", ">=" => "at least", "=" => "exactly" }

  delegate :text, :figure, :relation, :limit, :valid?, :complaint, to: :@condition

  def self.examples
    Condition.examples(:exact)
  end

  def initialize(text)
    @condition = Condition.new(text, :exact)
  end

  # Returns the value in the figures of a run; see Figure#value.
  def value(figures)
    figure.value(figures)
  end

  def met?(figures)
    value(figures)&.then { |value| @condition.holds?(value) }
  end

  # Returns the ratio of the value and its limit.
  def excess(figures)
    part, whole = [ value(figures), limit ].then { |pair| upper? ? pair : pair.reverse }
    whole.zero? ? Float::INFINITY : part.to_f / whole
  end

  # Returns a text such as "(95.1 % to 97.2 %)", the interval of its value; nil if it is unknown.
  def interval_in_words(figures)
    ends = figures.fetch("exact", nil)&.values_at("#{figure.name}_low", "#{figure.name}_high")
    "(#{ends.map { |value| in_words value }.join(" to ")})" if ends&.all? && value(figures)&.finite?
  end

  # Returns a text such as "p99 was 612.0 ms, but must be below 500 ms: 22 % over."
  def breach_in_words(figures)
    "#{figure.subject} #{apart_from_limit value(figures)}, but must be #{RELATIONS[relation]} " \
      "#{@condition.limit_in_words}#{distance_in_words figures}."
  end

  # Returns a value of its figure in words, such as "612.0 ms", with more digits than usual if they are asked for.
  def in_words(value, more = 0)
    return figure.beyond_in_words if value == Float::INFINITY

    case figure.unit
    when "1/s" then "#{rounded value, (value < 100 ? 1 : 0) + more} /s"
    when "%"   then "#{rounded value, (value.zero? || value >= 1 ? 1 : 3) + more} %"
    when "messages" then "#{rounded value, more} messages"
    when "ms"  then "#{rounded value / 1000.0, (value < 1000 ? 2 : value < 1_000_000 ? 1 : 0) + more} ms"
    else "#{rounded figure.plain(value), 1 + more} #{figure.unit}"
    end
  end

  private
    MOST_DIGITS = 6

    # Returns the value with as many digits as it takes to differ from the limit.
    def apart_from_limit(value)
      told = ->(words) { words.delete(",").to_f }
      (0..MOST_DIGITS).map { |more| in_words value, more }
        .detect { |words| told[words] != told[in_words limit, MOST_DIGITS] } || in_words(value)
    end

    def upper?
      !relation.start_with?(">")
    end

    def distance_in_words(figures)
      times, part = excess(figures), value(figures) / limit if limit.positive?
      case
      when times.nil? || times.infinite? || part == 1 then ""
      when !upper?                 then ": #{rounded (1 - part) * 100, 0} % under"
      when times < 1               then "" # the limit is exact
      when times < 2               then ": #{rounded (times - 1) * 100, 0} % over"
      else ": #{rounded times, times < 10 ? 1 : 0} times the limit"
      end
    end

    def rounded(value, precision)
      number_to_rounded value, precision: precision, delimiter: ","
    end
end
