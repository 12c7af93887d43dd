module TestRunsHelper
  TABS = {
    nil => "All", "at_work" => "At work", "queued" => "Waiting", "finished" => "Finished", "failed" => "Failed",
      "cancelled" => "Cancelled", "draft" => "Drafts"
  }

  # [ [ state to ask for, word, how many ], … ]; those with none are left out
  def tabs_of_runs(counts)
    at_work = counts.except("draft", "queued", *TestRun::Summarized::ENDED).values.sum
    TABS.map do |state, word|
      [ state, word, state.nil? ? counts.values.sum : state == "at_work" ? at_work : counts.fetch(state, 0) ]
    end
      .select { |state, _, count| state.nil? || count.positive? || params[:state] == state }
  end

  NATURAL = %w[ verdict name ] # begin with the smallest; figures with the largest

  # Sorts by a column, and the other way round where it is sorted by it already.
  def sorting_head(key, word, **attributes)
    sort = params[:sort].to_s
    sort = "-started" unless TestRun::Sortable::ORDERS.key?(sort.delete_prefix("-"))
    sorted, descending = sort.delete_prefix("-") == key, sort.start_with?("-")
    wanted = (sorted ? descending : NATURAL.include?(key)) ? key : "-#{key}"
    path = test_runs_path(request.query_parameters.except("page").merge("sort" => wanted))

    tag.th link_to(sorted ? "#{word} #{descending ? "↓" : "↑"}" : word, path, id: "sort-#{key}"), scope: "col",
      aria: { sort: (descending ? "descending" : "ascending" if sorted) }, **attributes
  end

  def caption_of_runs
    key = params[:sort].to_s.delete_prefix("-")
    TestRun::Sortable::ORDERS.key?(key) ? "Test runs, sorted by #{key}" : "Test runs, newest first"
  end

  # State, or what has become of it
  def outcome_tag(run)
    if verdict = run.verdict
      state_tag verdict.state, verdict.word
    else
      state_tag run.state, run.cancelling? ? "Cancelling" : run.state.capitalize
    end
  end

  # "214 Not accepted: Two brokers", as a tab of the browser shows its beginning alone
  def title_of(run)
    "#{run.id} #{run.verdict&.word || run.state.capitalize}: #{run.name}"
  end

  def path_of_run(run)
    run.draft? ? edit_test_run_path(run) : test_run_path(run)
  end

  # The second line of a row: what failed, or who takes part.
  def second_line_of(run)
    if run.failed? && run.error?
      tag.span run.error.lines.first.truncate(140), class: "why"
    else
      run.mix
    end
  end

  def started_at(run)
    run.launched_at ? ago(run.launched_at) : safe_join([ "edited ", ago(run.updated_at) ])
  end
end
