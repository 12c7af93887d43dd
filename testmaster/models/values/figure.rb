# A figure by which runs are judged: a row of vocabulary/figures.yml, which the log analyzer reads, too, or any other
# percentile. Values are in the base unit of its dimension (us, 1/s, per cent, bytes/s) where nothing else is said.
class Figure
  VOCABULARY = YAML.load_file(Rails.root.join("vocabulary/figures.yml"))
  PERCENTILE = /\Ap(\d{1,2}(?:\.\d{1,4})?)\z/

  class << self
    # nil where there is none of this name, which may be another spelling of it
    def [](name)
      percent = PERCENTILE.match(name.to_s)&.captures&.first&.to_f
      all[OTHER_NAMES.fetch(name, name)] || (percentile percent if percent)
    end

    # Those that a judge can know: live, exact, try or comparison. Percentiles without a row are not among them.
    def of(judge)
      all.values.select { |figure| figure.known_to?(judge) }
    end

    def names(judge)
      of(judge).map(&:name)
    end

    private
      def all
        @all ||= VOCABULARY["figures"].to_h { |name, row| [ name, new(name, **row.symbolize_keys) ] }
      end

      def percentile(percent)
        name = "p#{percent.to_s.delete_suffix(".0")}"
        all[name] || new(name, **VOCABULARY["figures"]["p99"].symbolize_keys, percent: percent,
          label: "Response time, #{name}", head: name)
      end
  end

  OTHER_NAMES = VOCABULARY["figures"].filter_map { |name, row| [ row["also"], name ] if row["also"] }.to_h

  attr_reader :name, :of, :percent, :label, :head, :subject

  def initialize(name, dimension:, better:, of:, known:, label:, percent: nil, head: label, subject: "#{name} was",
    also: nil)
    @name, @dimension, @better, @of, @known, @label, @percent, @head, @subject =
      name, VOCABULARY["dimensions"].fetch(dimension), better, of, known, label, percent, head, subject
  end

  def known_to?(judge)
    judge.to_s.in?(@known)
  end

  def higher_is_better?
    @better == "higher"
  end

  def time?
    units.key?("ms")
  end

  def share?
    of == "share"
  end

  # What requests cost, beside the time that they take
  def cost?
    of == "cost" || name == "late"
  end

  def percentile?
    of == "percentile"
  end

  # [%] of the requests that took at most as long; nil where the figure is no time of one request
  def rank
    of == "max" ? 100 : percent
  end

  # { unit that is read => its size }
  def units
    @dimension["units"]
  end

  def units_in_words
    @dimension["words"]
  end

  # That of numbers without one, and of the columns of experiments
  def unit
    @dimension["plain"]
  end

  # As tables for the log analyzer call it: "p99 [ms]"
  def column
    "#{name} [#{unit}]"
  end

  def plain(value)
    value / units[unit].to_f
  end

  # What the figures of a run say, see Measurement#to_h: what the logs say exactly, and what histograms say so far, goes
  # before what was seen each second. Infinite where a time lies among requests that failed, nil where nothing is said.
  def value(figures)
    case of
    when "throughput" then figures.dig("exact", name) || figures.dig("rate", "value")
    when "share"      then share(figures)
    when "cost"       then figures.dig("exact", name)
    else
      told = figures["exact"] || figures["so_far"] || {}
      return Float::INFINITY if told.dig("at_least", name) || among_failed?(figures)

      told[name] || figures.dig(name, "value")
    end
  end

  # Of the same figures: what a time is at least that lies among requests that failed
  def at_least(figures)
    (figures["exact"] || figures["so_far"] || {}).dig("at_least", name)
  end

  # What the list of runs is sorted by
  def sql
    case of
    when "throughput" then "(figures #>> '{rate,value}')::float"
    when "share"
      "(figures ->> '#{name}')::float / nullif(coalesce((figures ->> 'ok')::float, 0) + " \
        "coalesce((figures ->> 'errors')::float, 0), 0)"
    else
      "coalesce(#{[ "exact,#{name}", "so_far,#{name}", "#{name},value" ].map { |path|
        "figures #>> '{#{path}}'" }.join(", ")})::float"
    end
  end

  private
    def share(figures)
      all = figures["ok"].to_i + figures["errors"].to_i
      figures[name].to_i * 100.0 / all if all.positive?
    end

    # No request that failed is known to have lasted less than another.
    def among_failed?(figures)
      figures["errors"].to_i.positive? && (of == "max" || percentile? && figures["ok"] == 0)
    end
end
