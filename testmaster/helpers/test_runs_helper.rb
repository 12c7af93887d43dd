module TestRunsHelper
  TABS = {
    nil => "All", "at_work" => "Active", "queued" => "Waiting", "finished" => "Finished", "failed" => "Failed",
    "cancelled" => "Cancelled", "draft" => "Drafts"
  }

  # Returns [ [ state parameter, word, count ], … ]; states without runs are left out.
  def tabs_of_runs(counts)
    at_work = counts.except("draft", "queued", *TestRun::Summarized::ENDED).values.sum
    TABS.map do |state, word|
      [ state, word, state.nil? ? counts.values.sum : state == "at_work" ? at_work : counts.fetch(state, 0) ]
    end
      .select { |state, _, count| state.nil? || count.positive? || params[:state] == state }
  end

  NATURAL = %w[ verdict name ] # sorted in ascending order first; figures in descending order

  # Links to the list sorted by a column, or reversed if it is sorted by it already.
  def sorting_head(key, word, **attributes)
    sort = params[:sort].to_s
    sort = "-started" unless TestRun::Sortable::ORDERS.key?(sort.delete_prefix("-"))
    sorted, descending = sort.delete_prefix("-") == key, sort.start_with?("-")
    wanted = (sorted ? descending : NATURAL.include?(key)) ? key : "-#{key}"
    path = test_runs_path(request.query_parameters.except("page").merge("sort" => wanted))

    return tag.th(word, scope: "col", **attributes) unless TestRun::Sortable::ORDERS.key?(key)

    tag.th link_to(sorted ? "#{word} #{descending ? "↓" : "↑"}" : word, path, id: "sort-#{key}"), scope: "col",
      aria: { sort: (descending ? "descending" : "ascending" if sorted) }, **attributes
  end

  COLUMNS = { "change" => "Change", "thresholds" => "Thresholds", "cost" => "Cost", "duration" => "Duration",
    "started" => "Started" }
  CLASSES = { "throughput" => "thr", "change" => "chg", "p99" => "p99", "duration" => "dur", "started" => "when muted" }

  def word_of_column(column)
    Figure[column]&.head || COLUMNS.fetch(column)
  end

  def class_of_column(column)
    CLASSES.fetch(column, "extra")
  end

  # Renders the cell of a run in a column of the list.
  def cell_of(run, column, figures)
    case column
    when "throughput" then throughput_cell(figures)
    when "change"     then change_cell(run)
    when "thresholds" then thresholds_cell(run, figures)
    when "cost"       then run.cost.positive? ? dollars(run.cost) : none
    when "duration"   then run.elapsed ? clock(run.elapsed) : none
    when "started"    then started_at(run)
    else told_figure(figures, Figure[column])
    end
  end

  def caption_of_runs
    key = params[:sort].to_s.delete_prefix("-")
    TestRun::Sortable::ORDERS.key?(key) ? "Test runs, sorted by #{key}" : "Test runs, newest first"
  end

  # Renders the state of an active run, or the verdict.
  def outcome_tag(run)
    if verdict = run.verdict
      state_tag verdict.state, verdict.word
    else
      word = run.cancelling? ? "Cancelling" : run.state.capitalize
      state_tag run.state, run.at_work? && worker_absent? ? "#{word}, no worker" : word
    end
  end

  def path_of_run(run)
    run.draft? ? edit_test_run_path(run) : test_run_path(run)
  end

  # Renders the second line of a row: the failure, or the groups.
  def second_line_of(run)
    if run.failed? && run.error?
      tag.span run.error.lines.first.truncate(140), class: "why"
    else
      run.mix
    end
  end

  def what_deleting_runs_does
    "Their definitions, logs and analyses are lost. Comparisons keep their figures, and say that the runs are " \
      "deleted. Their marks as baselines are lost. Active runs are kept."
  end

  def started_at(run)
    run.launched_at ? ago(run.launched_at) : safe_join([ "edited ", ago(run.updated_at) ])
  end

  # Describes the name or tag whose baseline the run can become, and the run that it replaces.
  def word_of_mark(kind, value)
    other = Baseline.find_by(kind: kind, value: value)
    "#{kind == "name" ? "The name #{value}" : "Tag #{value}"}#{", instead of run #{other.test_run_id}" if other}"
  end

  # Returns "12.3 ms", or "> 1,000 ms" among failed requests. told has the figures of the logs or the clients.
  def told_time(told, name)
    at_least = told.dig("at_least", name)
    at_least ? safe_join([ "> ", response_time(at_least) ]) : response_time(told[name])
  end

  private
    def change_cell(run)
      change = change_since_baseline(run.own_comparison)
      change ? link_to(change, run.own_comparison) : none
    end

    def throughput_cell(figures)
      return none unless figures["rate"]

      tag.span safe_join([ spark(figures["spark"] || []), tag.span(rate(figures["rate"]["value"])) ])
    end

    # Returns "12.3 ms", "> 1,000 ms" among failed requests, or "0.5 %".
    def told_figure(figures, figure)
      value = figure.value(figures)
      return none if value.nil? || value == Float::INFINITY && figure.at_least(figures).nil?

      case figure.unit
      when "%"  then quantity(percent(value), "%")
      when "ms", "s"
        words = method(figure.unit == "s" ? :seconds_in_words : :response_time)
        value.finite? ? words[value] : safe_join([ "> ", words[figure.at_least(figures)] ])
      else quantity(number_with_precision(figure.plain(value), precision: 3, significant: true), figure.unit)
      end
    end

    # Returns a text such as "2 of 3 met".
    def thresholds_cell(run, figures)
      met = run.definition.limits.map { |limit| limit.met?(figures) }
      return none if met.empty? || met.all?(&:nil?)

      tag.span "#{met.count(true)} of #{met.size} met", class: class_names(worse: met.include?(false))
    end
end
