# Stops an experiment that fails repeatedly, and limits its growth.
module Experiment::Guarded
  IN_A_ROW = 3 # failures in succession for the same reason, which the next run would have, too

  # Returns a sentence if the latest runs since the experiment was resumed failed for the same reason, or nil.
  def constant_failure
    since = all_runs.reject { |run| run.at_work? || resumed_at&.after?(run.launched_at) }
    latest = since.last(IN_A_ROW)
    if latest.size == IN_A_ROW && latest.all?(&:failed?) && latest.map { |run| kind_of_failure(run) }.uniq.one?
      reason = latest.last.outcome.reason_of_failure.to_s.chomp(".")
      "#{IN_A_ROW} runs in a row failed for the same reason: #{reason}. Mend it, then resume; or cancel."
    end
  end

  # Adds work to an experiment, also after its end. Returns false, with the reasons among the errors, if that is not
  # permitted or the new runs could not be launched.
  def extend_by
    note_more "experiment:", "is a draft: change and launch it" if draft?
    return false if errors.any?

    extended = with_lock do
      note_more "experiment:", "is being cancelled: wait until it has ended" if cancelling?
      next false if errors.any?

      yield
      reload
      note_too_many runs_planned
      objections.each { |objection| errors.add :base, objection } if errors.none?
      errors.none? ? continue : raise(ActiveRecord::Rollback)
    end
    reload unless extended
    !!extended
  end

  private
    # Numbers of ports, runs and processes differ each time, so they are ignored.
    def kind_of_failure(run)
      [ run.failed_phase, run.error.to_s.lines.first.to_s.gsub(/\d+/, "#") ]
    end

    def note_more(word, complaint)
      errors.add :base, "#{word} #{complaint}"
    end

    def note_too_many(runs)
      if runs > Experiment::Designed::MOST_RUNS
        note_more "experiment:", "#{runs} runs would be planned, and #{Experiment::Designed::MOST_RUNS} are allowed"
      end
    end
end
