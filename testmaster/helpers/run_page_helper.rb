module RunPageHelper
  PLOTS = {
    "cdf" => "Cumulative", "spectrum" => "Percentiles", "box" => "Boxes", "queues" => "Waiting requests",
    "messages" => "Messages in queues", "rates" => "Rates per second",
    "steps" => "Steps of the load"
  }

  def word_of_plot(kind)
    PLOTS.fetch(kind, kind.humanize)
  end

  SPLITS = { "jvm" => "JVM", "status" => "outcome" }

  def splits_of(test_run)
    test_run.system.tiers.many? ? Analysis::SPLITS : Analysis::SPLITS - %w[ tier ]
  end

  def word_of_split(split)
    SPLITS.fetch(split, split)
  end

  # Returns a text such as "<action> by JVM, 0:20 to 1:00, windows of 1s".
  def subject_of_plot(analysis)
    [ ([ analysis.prefixes.join(" "), ("by #{word_of_split analysis.split}" if analysis.split) ].compact
      .join(" ") if analysis.of_actions?),
      ("#{clock analysis.from} to #{analysis.to ? clock(analysis.to) : "the end"}" if analysis.from || analysis.to),
      "windows of #{Duration.format analysis.window}" ].compact.join(", ").upcase_first
  end

  def dollars(amount)
    safe_join [ unit("$"), number_with_precision(amount, precision: 2) ]
  end

  # Returns an estimate, which is nil if a price is unknown.
  def about_dollars(amount)
    amount ? safe_join([ unit("≈"), " ", dollars(amount) ]) : "unknown"
  end

  # Returns a text such as "4 JVMs".
  def count_of_programs(test_run, count = test_run.jvms.size)
    pluralize count, test_run.system.program
  end

  # Returns the kind of a JVM, or of a server in its place: "Writers", "OneWayClient", "RabbitMQ 3.10.8".
  def kind_of(jvm)
    jvm.group.name.presence ||
      (jvm.broker? && !jvm.system.default? ? jvm.progress["version"] || jvm.system.label : jvm.scenario)
  end

  # Returns a text such as "local, 1 machine, 4 JVMs".
  def places_of(test_run)
    [ test_run.provider.name, (pluralize(test_run.machines.size, "machine") if test_run.machines.any?),
      (count_of_programs(test_run) if test_run.jvms.any?) ].compact.join(", ")
  end

  def counts_of_machines(test_run)
    return if test_run.jvms.empty?

    failed = test_run.jvms.count(&:failed?)
    [ "#{pluralize test_run.machines.size, "machine"}, #{count_of_programs test_run}",
      ("#{failed} failed" if failed.positive?) ].compact.join("; ")
  end

  def what_cancelling_does(test_run)
    machines = test_run.provider.rented? ? ", and the machines are ended" : ""
    under_test = test_run.system.default? ? "brokers" : test_run.system.label
    "Clients and #{under_test} stop, and logs so far are collected#{machines}. The figures up to now are kept and " \
      "marked as partial."
  end

  # Returns a text such as "Waits for its turn behind run 12 Baseline and 3 others."
  def words_of_waiting(test_run)
    first, *others = test_run.waits_for.to_a
    return "It is about to start." unless first

    safe_join [ "Waiting for its turn behind run ", link_to("#{first.id} #{first.name}", first),
      (" and #{pluralize others.size, "other"}" if others.any?), "." ]
  end

  def words_of_phase(test_run, phase)
    took = clock((phase[:ended_at] || Time.current) - phase[:started_at]) if phase[:started_at]

    case phase[:state]
    when "waiting" then ""
    when "now"     then phase[:name] == "running" && test_run.load_starts_at ? words_of_load(test_run) : took
    when "failed"  then "Failed after #{took}"
    else took
    end
  end

  # Returns the warning above figures that must not be quoted without reservation.
  def caveat_on(test_run)
    verdict = test_run.verdict
    "#{verdict.word}. " if verdict && !verdict.sound?
  end

  def death_in(test_run)
    test_run.events.find { |event| event.name == "died" }
  end

  # Time counts from the start of the load, or from the launch if there was no load.
  def start_of_time(test_run)
    test_run.load_starts_at || test_run.launched_at
  end

  def hint_of_event(event)
    [ event.jvm&.name || event.machine&.name, event.details["advice"],
      (event.message.lines.drop(1).first if event.message.lines.many?) ].compact_blank.join(": ")
  end

  JVM_SHAPES = { "pending" => "draft", "deployed" => "queued", "starting" => "deploying", "ready" => "queued",
    "running" => "running",
    "stopping" => "collecting", "exited" => "finished", "failed" => "failed" }

  # A ready broker is already active.
  def jvm_state(jvm)
    shape = jvm.broker? && jvm.ready? ? "running" : JVM_SHAPES.fetch(jvm.state)
    state_tag shape, jvm.state.humanize, bare: true
  end

  # Returns the last line of its output; figures are shown in words.
  def last_words_of(jvm)
    line = jvm.last_line.to_s
    line.start_with?("{") ? words_of_progress(jvm.figures) : line
  end

  def room_left(test_run, measure, value)
    threshold = test_run.definition.limit_for(measure)
    return unless threshold && value

    return "limit #{milliseconds threshold.limit} ms" unless threshold.limit.positive?

    left = ((threshold.limit - value) / threshold.limit * 100).round
    "limit #{milliseconds threshold.limit} ms, #{left.negative? ? "#{-left} % over" : "#{left} % left"}"
  end

  def value_of_threshold(threshold, figures)
    [ threshold.in_words(threshold.value(figures)), threshold.interval_in_words(figures) ].compact.join(" ")
  end

  def charts_of(test_run)
    [ *(messages_chart(test_run) if test_run.outcome.lines["sent"].any?),
      throughput_chart(test_run), response_time_chart(test_run),
      *(errors_chart(test_run) if test_run.outcome.lines.values_at("errors",
        "late").flatten(1).any? { |_, count| count.positive? }) ]
  end

  # Links to the logs from a time on [s since the start of the load].
  def logs_at(test_run, seconds, **options)
    test_run_logs_path(test_run, from: seconds.floor, **options)
  end

  # Returns a text such as "0:10 to 0:55 of the load".
  def words_of_seconds(test_run)
    covered = test_run.outcome.seconds_covered
    first, last = covered.begin.floor, covered.end.round
    first < last ? "#{clock first} to #{clock last} of the load" : "less than a second from #{clock first} on"
  end

  # Returns a text such as "248 to 252, limit 100".
  def doubt_of(figure, text, note, limit)
    doubt = figure["low"] ? [ range_of(figure, text), note ].compact.join(" ") : note || "no interval"
    parts = [ doubt, ("clocks known to ±#{text.call figure["clock_error"]} ms" if figure["clock_error"]),
      ("limit #{text.call limit.limit}" if limit) ].compact
    safe_join parts.map { |part| tag.span part, class: "nowrap" }, ", "
  end

  # Returns "limit 50 ms", or the population of the percentile.
  def note_on_percentile(test_run, figures, name)
    exact, limit = figures["exact"], test_run.definition.limit_for(name)
    case
    when limit         then "limit #{milliseconds limit.limit} ms"
    when exact.nil?    then "within 1 %, counted by the clients"
    when name == "p50" then "half of all are faster"
    when name == "p99" then "successful ones at most #{milliseconds exact["max"]} ms"
    else "of #{big_number exact["count"]} requests"
    end
  end

  # Returns nil if the figure is unknown. It comes from the logs once they are read.
  def figure_with_interval(figures, name)
    if exact = figures["exact"]
      { "value" => exact[name], "low" => exact["#{name}_low"], "high" => exact["#{name}_high"],
        "clock_error" => exact["#{name}_clock_error"] }.compact if exact[name]
    else
      figures[name] || figures.dig("messages", name)&.then { |value| { "value" => value } }
    end
  end

  VERDICTS = {
    "good" => [ "finished", "Passed" ], "warning" => [ "warning", "Warning" ], "rejected" => [ "failed", "Rejected" ],
    "note" => [ "queued", "Note" ], "unknown" => [ "queued", "Unknown" ]
  }

  def check_state(verdict)
    shape, word = VERDICTS.fetch(verdict)
    state_tag shape, word, bare: true
  end

  def verdict_on(checks)
    verdicts = checks.map(&:verdict).tally
    refused = verdicts["rejected"]
    words = [ refused ? "#{refused} of #{checks.size} not passed" : "None rejects the run",
      (pluralize verdicts["warning"], "warning" if verdicts["warning"]) ]
    words.compact.join(", ")
  end

  # A ring marks a command, an octagon a death, a disc a recovery.
  def number_of_mark(mark, **attributes)
    octagon = "M-3.8-9.2h7.6L9.2-3.8v7.6L3.8 9.2h-7.6L-9.2 3.8v-7.6z"
    shape = mark.kind == "death" ? tag.path(class: "shape", d: octagon) : tag.circle(class: "shape", r: 8.5)
    tag.g(shape + tag.text(mark.number, dy: ".36em"), class: "no no--#{mark.kind}", **attributes)
  end

  # Draws whisker, point and limit on one scale.
  def interval(figure, limit:, text:)
    values = [ figure["low"], figure["high"], limit ].compact
    margin = (values.max - values.min).nonzero?.to_f * 0.15
    from, to = values.min - margin, values.max + margin
    at = ->(value) { to == from ? "50%" : "#{((value - from) / (to - from) * 100).round(2)}%" }

    tag.svg class: "interval", role: "img",
      aria: { label: "#{text.call figure["value"]}, interval #{text.call figure["low"]} to " \
        "#{text.call figure["high"]}#{", limit #{text.call limit}" if limit}" } do
      safe_join [
        tag.line(class: "base", x1: 0, x2: "100%", y1: "50%", y2: "50%"),
        (tag.line(class: "limit", x1: at[limit], x2: at[limit], y1: 0, y2: "100%") if limit),
        tag.line(class: "whisk", x1: at[figure["low"]], x2: at[figure["high"]], y1: "50%", y2: "50%"),
        tag.circle(class: "dot", cx: at[figure["value"]], cy: "50%", r: 4)
      ].compact
    end
  end

  private
    def range_of(figure, text)
      low, high = figure.values_at("low", "high").map(&text)
      low == high ? "interval narrower than shown" : "#{low} to #{high}"
    end

    def words_of_load(test_run)
      passed, all = test_run.seconds_of_load, test_run.duration
      ends = (test_run.load_starts_at + all).strftime("%H:%M:%S UTC")
      phase = test_run.events.select { |event| event.name == "load_phase" }.last&.message&.downcase_first
      passed < all ? [ "#{clock passed} of #{clock all}", phase, "ends at about #{ends}" ].compact.join(", ") :
        "#{clock all} of load, ending"
    end

    def words_of_progress(progress)
      [
        progress["state"],
        (pluralize(progress["clients"], "client") if progress["clients"]),
        ("#{number_with_delimiter progress["ok"]} ok" if progress["ok"]),
        ("#{number_with_delimiter progress["requests"]} requests" if progress["requests"]),
        ("queue #{progress["queue"]}" if progress["queue"]),
        (pluralize(progress["connections"], "connection") if progress["connections"]),
        ("#{progress["cpu"]} % of the processors" if progress["cpu"]),
        *%w[ late errors shed ].map { |name| "#{progress[name]} #{name}" if progress[name].to_i.positive? }
      ].compact.join(", ")
    end

    # The line shows the worst JVM in each second; the p99 of all requests is beside it.
    def words_of_p99(test_run)
      figures = test_run.measurement
      told = figures["exact"] || figures["so_far"] || {}
      failed = told.dig("at_least", "p99")
      p99 = failed || told["p99"]
      "of all requests #{"so far " unless test_run.ended?}#{"> " if failed}#{milliseconds p99} ms" if p99
    end

    def messages_chart(test_run)
      text = ->(value) { "#{rate_of value} /s" }
      chart test_run, "Messages", "per second", [ [ "sent", "d1", test_run.outcome.lines["sent"], text ],
        [ "received", "d3", test_run.outcome.lines["received"], text ] ]
    end

    def throughput_chart(test_run)
      points = test_run.outcome.lines["rate"]
      chart test_run, "Throughput", "requests per second",
        [ [ nil, "d1", points, ->(value) { "#{rate_of value} /s" } ] ],
        limit: test_run.definition.limit_for("throughput")&.limit&.then { |limit| [ limit, "#{rate_of limit} /s" ] }
    end

    def response_time_chart(test_run)
      scaled = ->(points) { points.map { |second, value| [ second, value / 1000.0 ] } }
      text = ->(value) { "#{milliseconds value * 1000} ms" }
      lines = [ [ "p99 (1 s)", "d2", scaled[test_run.outcome.lines["p99"]], text ],
        [ "mean", "d1", scaled[test_run.outcome.lines["mean"]], text ] ]
      note = [ "milliseconds, of successful requests; p99 of each second, of the worst client JVM",
        words_of_p99(test_run) ].compact.join(", ")
      limit = test_run.definition.limit_for("p99")&.limit
      chart test_run, "Response time", note, lines,
        limit: limit && [ limit / 1000.0, "#{milliseconds limit} ms" ]
    end

    def errors_chart(test_run)
      count = ->(value) { number_with_delimiter value.round }
      chart test_run, "Errors and late starts", "since the start of the load",
        [ [ "late", "d5", test_run.outcome.lines["late"], count ],
          [ "errors", "dbad", test_run.outcome.lines["errors"], count ] ]
    end

    def chart(test_run, title, note, lines, limit: nil)
      lines = lines.map do |name, style, points, text|
        Chart::Line.new(name, style, points, points.any? ? text.call(points.last.last) : nil)
      end
      Chart.new(title: title, note: note, duration: test_run.duration, shade: test_run.warmup,
        marks: marks_of(test_run), neglects: test_run.outcome.neglects, limit: limit, lines: lines)
    end

    def marks_of(test_run)
      test_run.outcome.marks.map { |mark| Chart::Mark.new(mark.at, mark.number, mark.kind) }
    end
end
