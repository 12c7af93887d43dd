module ExperimentsHelper
  MESSAGES = %w[ sent received empty_takes ]
  COLUMNS_OF_POINTS = %w[ throughput mean p50 p95 p99 errors ]
  PHASES = %w[ backlog drain recovery ] # of a load with phases
  TOPICS = %w[ copies lost subscribe_rate first_p99 ]
  ONLY_WIDE = %w[ empty_takes p50 p95 mean ]
  COLUMNS_OF_TRIES = { "sent" => "Sent /s", "received" => "Received /s", "throughput" => "Throughput /s",
    "p50" => "p50 ms", "p99" => "p99 ms", "errors" => "Errors %",
    "late" => "Late %", "queue trend" => "Queue grows by /s" }
  MOST_SHOWN = 200 # runs in a table before the launch
  PARTS = { "accepted" => [ "accepted", "accepted" ], "rejected" => [ "not-accepted", "not accepted" ],
    "failed" => [ "failed", "failed" ] }

  def title_of_experiment(experiment)
    "#{experiment.state.capitalize unless experiment.finished?} #{experiment.name}".strip
  end

  def experiment_state_tag(experiment)
    words = experiment.cancelling? ? "Cancelling" : experiment.state.capitalize
    counted = experiment.draft? ? words : "#{words}, #{experiment.runs_made} of #{experiment.runs_planned}"
    counted += " accepted" if experiment.finished?
    state_tag experiment.paused? ? "queued" : experiment.state, counted
  end

  # Renders "2^3" with a raised exponent.
  def raised(text)
    safe_join text.split(/\^(\d+|\([^)]*\))/).each_with_index.map { |part, n|
 n.odd? ? tag.sup(part.delete("()")) : part }
  end

  # Returns the names of figures; those of messages only where clients counted some, those of
  # phases only where the load has phases.
  def columns_of_points(points)
    told = ->(name) { points.any? { |point| point.figure(name).then { |it| it.mean || it.why_unknown } } }
    [ *MESSAGES.select(&told), *(PHASES if told["drain"]), *TOPICS.select(&told), *COLUMNS_OF_POINTS ]
  end

  def word_of_experiment_figure(name)
    Figure[name].head
  end

  # Rounds 12.34 to "12.3" and 0.041 to "0.0410". Rails 7.2 would write -646 with a delimiter as "-,646".
  def significant(value)
    return if value.nil?
    return "−#{significant(-value)}" if value.negative?

    digits = value.zero? ? 1 : (2 - Math.log10(value.abs).floor).clamp(0, 4)
    number_with_precision value, precision: digits, delimiter: ","
  end

  def figure_cell(figure)
    return no_mean(figure) unless figure.mean

    doubt = figure.half_width ? tag.span("±#{significant figure.half_width}", class: "hint") : nil
    safe_join [ significant(figure.mean), doubt ].compact, " "
  end

  # Renders what stands in place of a missing mean.
  def no_mean(figure)
    figure.why_unknown ? tag.span(figure.why_unknown, class: "hint") : none
  end

  def word_of_figure_of_part(name)
    name == "stddev" ? "Standard deviation" : word_of_experiment_figure(name)
  end

  def unit_of_experiment_figure(name)
    Figure[name].unit.sub("1/s", "/s")
  end

  # Links to the table of points sorted by a figure, or reversed if it is sorted by it already.
  def point_sorting_head(name)
    sorted, descending = params[:sort].to_s.delete_prefix("-") == name, params[:sort].to_s.start_with?("-")
    wanted = sorted && descending ? name : "-#{name}"
    word = safe_join([ word_of_experiment_figure(name), unit(unit_of_experiment_figure(name)) ], " ")
    arrow = sorted ? (descending ? " ↓" : " ↑") : ""
    tag.th link_to(safe_join([ word, arrow ]), url_for(request.query_parameters.merge(sort: wanted, figure: name)),
      id: "sort-#{name}"), scope: "col", class: class_names("num", "only-wide": name.in?(ONLY_WIDE)),
      aria: { sort: (descending ? "descending" : "ascending" if sorted) }
  end

  def shown_figure(experiment)
    params[:figure].to_s.presence_in(Figure.names(:try)) || experiment.response
  end

  def points_in_order(experiment)
    sort = params[:sort].to_s
    experiment.points_by sort.delete_prefix("-"), descending: sort.start_with?("-")
  end

  # Returns the lowest and the highest value of all points, including their intervals.
  def scale_of_points(points, name)
    ends = points.map { |point|
 point.figure(name) }.flat_map { |figure| [ figure.low, figure.mean, figure.high ] }.compact
    return if ends.empty?

    margin = (ends.max - ends.min) * 0.05
    (ends.min - margin)..(ends.max + margin)
  end

  def strip_of_point(figure, scale)
    return if scale.nil? || figure.mean.nil?

    span = scale.end - scale.begin
    at = ->(value) { span.zero? ? "50%" : "#{((value - scale.begin) / span * 100).round(2)}%" }
    words = [ significant(figure.mean), ("#{significant figure.low} to #{significant figure.high}" if figure.low) ]
    tag.svg class: "interval d1", role: "img", aria: { label: words.compact.join(", ") } do
      safe_join [ tag.line(class: "base", x1: 0, x2: "100%", y1: "50%", y2: "50%"),
        (tag.line(class: "whisk", x1: at[figure.low], x2: at[figure.high], y1: "50%", y2: "50%") if figure.low),
        tag.circle(class: "dot", cx: at[figure.mean], cy: "50%", r: 4) ].compact
    end
  end

  # Renders shape and word of a run as a part of its experiment.
  def part_tag(run, bare: true)
    state, word = PARTS.fetch(run.outcome.part_in_experiment) do
      run.ended? ? [ "examining", "being examined" ] : [ run.state ] * 2
    end
    state_tag state, bare ? "Run #{run.id}: #{word}" : word.upcase_first, bare: bare
  end

  # Renders shape and word of a try within a run.
  def try_tag(it, bare: true)
    state, word = it.measuring? ? %w[ running measuring ] : it.holds? ? %w[ accepted holds ] : %w[ not-accepted breaks ]
    state_tag state, bare ? "Run #{it.test_run_id}: #{word}#{" #{it.broken.to_sentence}" if word == "breaks"}" :
      word.upcase_first, bare: bare
  end

  # Returns "4:10 to 4:30" in minutes and seconds of the load.
  def seconds_of_try(it)
    start = it.test_run.load_starts_at
    [ it.measured_from, it.measured_to ].map { |time| clock time - start }.join(" to ") if start
  end

  # Returns the levels of the n-th factor along the top of a matrix, each with its number of columns.
  def cells_across(matrix, n)
    span = matrix.across.drop(n + 1).inject(1) { |product, factor| product * factor.levels.size }
    matrix.columns.map { |column| column.values[n] }.each_slice(span).map { |levels| [ levels.first, span ] }
  end

  # Describes what a search has found so far.
  def answer_in_words(experiment)
    answer, name = experiment.search.answer, experiment.factors.first.name
    confirmed = "confirmed by #{pluralize experiment.repetitions, experiment.by_steps? ? "try" : "run"}"
    holds, breaks = answer.values_at("holds", "breaks").map { |level| level && experiment.search.written(level) }
    case
    when holds && breaks then "The highest #{name} that holds lies from #{holds} up to, not including, #{breaks}" \
      ", #{answer["confirmed"] ? confirmed : "so far"}."
    when holds  then "#{holds} holds#{"; it is the end of the range" if answer["confirmed"]}."
    when breaks then "#{breaks} does not hold, and nothing below it was tried."
    else "There is no result yet."
    end
  end

  # Returns the text in place of a missing figure, or of all figures if there are none.
  def why_no_figure(point, name = nil)
    case
    when point.measured.any?     then point.figure(name).why_unknown || "not measured"
    when point.skipped?          then "skipped"
    when point.experiment.by_steps? then why_no_figure_of_tries(point.all_tries)
    when point.runs.empty?       then "not run yet"
    when point.runs.any? { |run| run.outcome.part_in_experiment.nil? } then "no accepted run yet"
    else "no accepted run of #{point.runs.size}: #{point.runs.last.verdict.reason}".truncate(200)
    end
  end

  def why_no_figure_of_tries(tries)
    case
    when tries.empty?             then "not tried yet"
    when tries.all?(&:measuring?) then "being measured"
    else "no try that counts yet"
    end
  end

  def next_in_words(experiment)
    return unless experiment.running?

    run = experiment.run_at_work
    point, repetition = experiment.upcoming
    [ ("run #{run.id} is #{run.state}" if run),
      ("next: point #{point.number} (#{point.title}), #{repetition.ordinalize} repetition" if point) ]
      .compact.join("; ")
  end

  # Returns the paths that a factor may vary; none if the base definition is invalid.
  def paths_to_vary(experiment)
    Experiment::Path.all_in(experiment.base_definition)
  end

  # Returns options of a select: the settings that a factor may vary, with the labels of the form.
  def options_of_paths(experiment, chosen)
    known = paths_to_vary(experiment)
    groups = known.group_by { |path| group_of_path(path) }
    options = groups.transform_values { |paths| paths.map { |path| [ label_of_path(path), path ] } }
    grouped_options_for_select(options, chosen)
  end

  # Returns the path of a row if it varies one setting by its levels.
  def single_path(row, known)
    row[:setting].presence || row[:paths].to_s.strip.then { |text| text if text.in?(known) }
  end

  # Returns the factors for the form; a search has none of its own.
  def rows_of_factors(experiment)
    return [] if experiment.find?

    experiment.kept_factors.map do |factor|
      { name: factor.name, unit: factor.unit, paths: factor.paths_text, levels: factor.levels.join(", ") }
    end
  end

  def list_of_points(experiment)
    return unless Experiment::Design.all[experiment.design] == Experiment::Design::Points

    experiment.planned_points.map { |levels| levels.map { |name, level| "#{name} #{level}" }.join(", ") }.join("\n")
  end

  # Describes the point with the best mean, the knee and the law, in sentences.
  def findings_in_words(experiment, results)
    unit = unit_of_experiment_figure(experiment.evaluation.response)
    [ best_in_words(experiment, results["best"], unit), *Array(results["knee"]).map { |knee| knee_in_words(knee) },
      *Array(results["scaling"]).map { |law| law_in_words(law) }, find_in_words(results["find"]) ].compact
  end

  def levels_in_words(levels)
    levels.map { |name, level| "#{name} #{level}" }.join(", ")
  end

  # Returns a text such as "a is workers and b is clients".
  def letters_of_factors(experiment)
    names = experiment.kept_factors.map(&:name)
    experiment.planned_design.letters.zip(names).map { |letter, name| "#{letter} is #{name}" }.to_sentence
  end

  def word_of_experiment_picture(name)
    name.tr("_", " ").upcase_first
  end

  private
    def group_of_path(path)
      case path.split(".")
      in [ "brokers" | "clients" => groups, n, * ] then "#{groups.singularize.capitalize} group #{n.to_i + 1}"
      in [ "database_settings", * ]                then "Database"
      else "Run"
      end
    end

    def label_of_path(path)
      _, _, setting = path.partition(".settings.")
      return label_of_setting(path[/\A(broker|client)/], setting) if setting.present?

      database = path.delete_prefix("database_settings.")
      Scenario.database_settings.find { |it| database != path && it.name == database }&.label ||
        Definition::Words.at(path)&.label || path
    end

    def label_of_setting(role, name)
      settings_of_role(role).map(&:first).find { |setting| setting.name == name }&.label || name
    end

    def best_in_words(experiment, best, unit)
      return unless best

      # No figure is negative, whatever Student's t says of a few runs.
      range = ", #{significant best["low"].clamp(0..)} to #{significant best["high"]}" if best["low"]
      others = best["as_good"].to_a.without(best["point"])
      if others.any? && others.size == experiment.points.count { |point| point.accepted.any? } - 1
        return "No point is seen to be better than the others: all are within noise of point #{best["point"]}."
      end

      "Best point: #{best["point"]} (#{levels_in_words best["levels"]}), #{significant best["mean"]} #{unit}#{range}." +
        (others.any? ? " Within noise of it: #{others.to_sentence}." : "") +
        (best["untold"].present? ? " Without repetitions this is unknown for #{best["untold"].to_sentence}." : "")
    end

    def knee_in_words(knee)
      of = " at #{knee["of"]}" if knee["of"].present?
      "Knee over #{knee["factor"]}#{of}: #{knee["level"]}#{", or beyond, as it is the last level" if knee["is_last"]}."
    end

    def law_in_words(law)
      peak, top = law.values_at("peak", "throughput_at_peak").map { |it| it && it["value"] }
      return unless peak && top

      "Universal scalability law#{" at #{law["of"]}" if law["of"].present?}: contention " \
        "#{estimate_in_words law["contention"]}, coherency #{estimate_in_words law["coherency"]}; the peak is " \
        "predicted at #{significant peak}, with #{significant top} /s."
    end

    def estimate_in_words(estimate)
      low, high = estimate.values_at("low", "high")
      [ number_with_precision(estimate["value"], precision: 4), ("(#{number_with_precision low, precision: 4} to " \
        "#{number_with_precision high, precision: 4})" if low && high) ].compact.join(" ")
    end

    def find_in_words(found)
      return unless found

      case
      when found["holds"] && found["breaks"]
        "The highest that holds: from #{significant found["holds"]} up to, not including, " \
          "#{significant found["breaks"]}."
      when found["holds"]  then "#{significant found["holds"]} holds; no try above it broke a condition."
      when found["breaks"] then "#{significant found["breaks"]} does not hold, and no try below it does."
      end
    end
end
