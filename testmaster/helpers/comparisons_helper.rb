module ComparisonsHelper
  UNITS = { "us" => "ms", "1/s" => "/s", "B/s" => "MB/s" }
  PICTURES = { "comparison" => "Changes", "throughput" => "Throughput", "response_time" => "Response time",
    "spectrum" => "Percentiles", "breakdown" => "Breakdown" }

  def title_of_comparison(comparison)
    state = "#{comparison.state.capitalize}: " unless comparison.completed?
    "#{state}Comparison #{comparison.id}, #{comparison.title}"
  end

  def letter_of(side)
    tag.span side.letter, class: "letter #{side.style}"
  end

  def word_of_figure(name)
    Figure[name]&.label || name
  end

  FIRST = %w[ sent received throughput p99 ]

  # Returns [ figures to show, figures whose changes are all within noise ]; the most important come first.
  def figures_to_tell(figures)
    first, others = figures.partition { |figure| figure["figure"].in? FIRST }
    noise, told = others.partition do |figure|
      verdicts = figure["sides"].values.filter_map { |values| values["verdict"] }
      verdicts.any? && verdicts.all?("within noise")
    end
    [ first.sort_by { |figure| FIRST.index(figure["figure"]) } + told, noise ]
  end

  # Returns the unit in which people read a figure.
  def unit_of_figure(figure)
    Figure[figure["figure"]]&.of_phases? ? "s" : UNITS.fetch(figure["unit"], figure["unit"])
  end

  def word_of_picture(name)
    return "Processor time of #{name[-1]}, coloured by its change" if name.match?(/\Aprofile_[A-Z]\z/)

    PICTURES.fetch(name) { name.delete_prefix("parameter_").then { |figure| "#{word_of_figure figure} by parameter" } }
  end

  # Returns a value as unit_of_figure has it; nil if there is none.
  def value_of_figure(value, unit)
    return if value.nil?

    case unit
    when "ms" then milliseconds(value)
    when "s"  then seconds_of(value)
    when "/s" then rate_of(value)
    when "messages" then count_of_messages(value)
    when "copies", "requests" then count_of_copies(value)
    when "MB/s" then number_with_precision(value / 1e6, precision: 3, significant: true)
    else percent(value)
    end
  end

  # Returns "38.2", or "> 1,000" if the figure lies among failed requests.
  def value_in_words(values, unit)
    values["at_least"] ? "> #{value_of_figure values["at_least"], unit}" : value_of_figure(values["value"], unit)
  end

  # Returns a text such as "37.1 to 39.4".
  def doubt_in(values, unit)
    low, high = [ values["low"]&.clamp(0..), values["high"] ].map { |value| value_of_figure(value, unit) }
    case
    when low.nil? || high.nil? then "no interval"
    when low == high           then "interval narrower"
    else "#{low} to #{high}"
    end
  end

  # Returns "+12 %", or the difference if the baseline is zero.
  def change_in_words(change)
    percent = change["percent"]
    return change_from_nothing(change) if percent.nil?

    number = number_with_precision(percent.abs, delimiter: ",",
      **(percent.abs < 0.1 ? { precision: 1, significant: true } : { precision: percent.abs < 10 ? 1 : 0 }))
    "#{percent.negative? ? "−" : "+"}#{number} %"
  end

  # Reasons of the log analyzer.
  UNTIL_THE_END = { "not drained by the end" => "drained",
    "still above those of the first phase at the end" => "recovered" }

  # The change has no percentage, as the baseline is zero or infinite.
  def change_from_nothing(change)
    done = UNTIL_THE_END[change["reason"]]
    case change.values_at("baseline_at_least", "at_least").map(&:present?)
    when [ true, false ] then done ? "#{done} now" : "no longer among failed requests"
    when [ false, true ] then done ? "not #{done} now" : "now among failed requests"
    when [ true, true ]  then done ? "not #{done} in both" : "among failed requests in both"
    else "new"
    end
  end

  VERDICTS_OF_CHANGE = { "worse" => [ "worse", "✕" ], "better" => [ "better", "✓" ],
    "more" => [], "less" => [], "within noise" => [ "noise", nil ], "no interval" => [ "noise", nil ] }

  def change_tag(change)
    style, = VERDICTS_OF_CHANGE.fetch(change["verdict"])
    words = case change["verdict"]
    when "within noise" then "within noise"
    when "no interval"  then [ "#{change_in_words change}, no interval", change["reason"] ].compact.join(": ")
    else [ change_in_words(change), change["verdict"] ].join(change["percent"] ? " " : ", ")
    end
    tag.span words, class: [ "change", style ], title: ratio_in_words(change)
  end

  # Returns a text such as "1.12 times the baseline".
  def ratio_in_words(change)
    return unless change["percent"]

    low, high = change.values_at("percent_low", "percent_high")
    ratio = ->(percent) { number_with_precision(1 + percent / 100.0, precision: 3) }
    "#{ratio[change["percent"]]} times the baseline#{", interval #{ratio[low]} to #{ratio[high]}" if low && high}" \
      "#{"; a change of #{percent change["percent_seen"]} % would be detected" if change["percent_seen"]}"
  end

  # Returns the change of a run against its baseline, for a list: "p99 +12 % ✕".
  def change_since_baseline(comparison)
    return unless comparison&.completed?

    if change = comparison.main_change
      style, sign = VERDICTS_OF_CHANGE.fetch(change["verdict"])
      tag.span "#{change["figure"].sub("median", "p50")} #{change_in_words change} #{sign}", class: style
    else
      tag.span comparison.changed? ? "less than #{Comparison::WORTH_TELLING} %" : "within noise", class: "noise"
    end
  end

  # Draws whiskers of all sides on one scale, and a line at the baseline.
  def strip(figure, sides)
    unit = unit_of_figure(figure)
    known = sides.map { |side| [ side, figure["sides"][side.letter] ] }.select { |_, values| values&.fetch("value") }
    return if known.empty?

    ends = known.flat_map { |_, values| values.values_at("value", "low", "high").compact }
    margin = (ends.max - ends.min).nonzero?.to_f * 0.08
    from, to = ends.min - margin, ends.max + margin
    at = ->(value) { to == from ? "50%" : "#{((value - from) / (to - from) * 100).round(2)}%" }
    label = known.map { |side, values| "#{side.letter} #{value_of_figure values["value"], unit}" }.to_sentence
    baseline = figure["sides"][sides.first.letter]["value"]

    tag.svg class: "interval interval--#{sides.size}", role: "img", aria: { label: "Intervals: #{label}" } do
      safe_join [
        (tag.line(class: "ref", x1: at[baseline], x2: at[baseline], y1: 0, y2: "100%") if baseline),
        *known.map do |side, values|
          whisker side, values, at, "#{((sides.index(side) + 0.5) * 100 / sides.size).round(1)}%"
        end
      ].compact
    end
  end

  def step_of(comparison)
    case
    when comparison.cancelling? then state_tag("running", "Being cancelled")
    when comparison.pending?    then state_tag("queued", "Waiting for its turn")
    else state_tag("running", comparison.step || "Begins")
    end
  end

  # Returns "A and B 0:10 to 0:55": the seconds of the load that figures cover.
  def spans_in(runs_of_sides)
    spans = runs_of_sides.transform_values do |runs|
      known = runs.map { |run| run["to"] ? "#{clock run["from"]} to #{clock run["to"].round}" : "unknown seconds" }
      known.uniq.to_sentence
    end
    spans.group_by(&:last).map { |span, sides| "#{sides.map(&:first).to_sentence} #{span}" }.to_sentence
  end

  def data_uri(picture)
    "data:image/svg+xml;base64,#{Base64.strict_encode64 picture.download}"
  end

  private
    def whisker(side, values, at, y)
      low, high = values.values_at("low", "high")
      tag.g class: side.style do
        safe_join [
          (tag.line(class: "whisk", x1: at[low], x2: at[high], y1: y, y2: y) if low && high),
          tag.circle(class: "dot", cx: at[values["value"]], cy: y, r: 4)
        ].compact
      end
    end
end
