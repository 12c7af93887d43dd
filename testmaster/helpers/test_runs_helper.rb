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
