# A figure by which runs are judged: a row of vocabulary/figures.yml, which the log analyzer uses, too, or any other
# percentile. Values are in the base unit of its dimension (us, 1/s, per cent, bytes/s) unless stated otherwise.
class Figure
  VOCABULARY = YAML.load_file(Rails.root.join("vocabulary/figures.yml"))
  PERCENTILE = /\Ap(\d{1,2}(?:\.\d{1,4})?)\z/

  class << self
    # Returns nil if there is none of this name. The name may be an alternative spelling.
    def [](name)
      percent = PERCENTILE.match(name.to_s)&.captures&.first&.to_f
      all[OTHER_NAMES.fetch(name, name)] || (percentile percent if percent)
    end

    # Returns the figures that a judge can know: live, exact, try or comparison. Percentiles without a row are left out.
    def of(judge)
      all.values.select { |figure| figure.known_to?(judge) }
    end

    def names(judge)
      of(judge).map(&:name)
    end

    # Returns the names of the times of messages, from the intended start of their sending.
    def of_messages
      all.values.select(&:of_messages?).map(&:name)
    end

    # Returns the names of the times of subscriptions: to subscribe, and to the first message.
    def of_subscriptions
      all.values.select { |figure| figure.of == "topics" && figure.time? }.map(&:name)
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

  attr_reader :name, :better, :of, :percent, :label, :head, :subject

  def initialize(name, dimension:, of:, known:, label:, better: nil, percent: nil, head: label, subject: "#{name} was",
    also: nil)
    @name, @dimension, @better, @of, @known, @label, @percent, @head, @subject =
      name, VOCABULARY["dimensions"].fetch(dimension), better, of, known, label, percent, head, subject
  end

  def known_to?(judge)
    judge.to_s.in?(@known)
  end

  def time?
    units.key?("ms")
  end

  def share?
    of == "share"
  end

  # Returns whether it is a cost of requests other than their time.
  def cost?
    of == "cost" || name == "late"
  end

  def percentile?
    of == "percentile"
  end

  # Returns why a value is infinite.
  def beyond_in_words
    of_phases? ? "longer than the rest of the load" : "among requests that failed"
  end

  # Returns whether it is a time that a load with phases took to be as before.
  def of_phases?
    of.in?(%w[ drain recovery ])
  end

  def of_messages?
    of.in?(%w[ end_to_end acknowledged ])
  end

  # Returns how many per cent of the requests took at most as long; nil where the figure is no time of one request.
  def rank
    of == "max" ? 100 : (percent if percentile?)
  end

  # Returns { accepted unit => its factor }.
  def units
    @dimension["units"]
  end

  def units_in_words
    @dimension["words"]
  end

  # Returns the unit of numbers without one, and of the columns of experiments.
  def unit
    @dimension["plain"]
  end

  # Returns the column of tables for the log analyzer, such as "p99 [ms]".
  def column
    "#{name} [#{unit}]"
  end

  def plain(value)
    value / units[unit].to_f
  end

  # Returns the value in the figures of a run, see Measurement#to_h. Exact figures from logs and histograms take
  # precedence over samples of seconds. It is infinite for a time among failed requests, or for a backlog that did not
  # drain, and nil if it is unknown.
  def value(figures)
    case of
    when "throughput" then figures.dig("exact", name) || figures.dig("rate", "value")
    when "share"      then share(figures)
    when "cost", "topics" then figures.dig("exact", name)
    when "backlog"    then figures.dig("exact", name) || figures.dig(name, "value")
    when "messages"   then figures.dig(figures["exact"] ? "exact" : "messages", name)
    else
      told = figures["exact"] || figures["so_far"] || {}
      return Float::INFINITY if told.dig("at_least", name) || among_failed?(figures)

      told[name] || figures.dig(name, "value")
    end
  end

  # Returns the lower limit of an infinite time.
  def at_least(figures)
    (figures["exact"] || figures["so_far"] || {}).dig("at_least", name)
  end

  # Returns the SQL by which the list of runs is sorted.
  def sql
    case of
    when "throughput" then "(figures #>> '{rate,value}')::float"
    when "share"
      "(figures ->> '#{name}')::float / nullif(coalesce((figures ->> 'ok')::float, 0) + " \
        "coalesce((figures ->> 'errors')::float, 0), 0)"
    when "messages"
      "coalesce(figures #>> '{exact,#{name}}', " \
        "CASE WHEN figures -> 'exact' IS NULL THEN figures #>> '{messages,#{name}}' END)::float"
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

    # Failed requests count as longer than all others.
    def among_failed?(figures)
      figures["errors"].to_i.positive? && (of == "max" || percentile? && figures["ok"] == 0)
    end
end
