# Finds runs whose job was lost, with its worker or with Redis, and resumes them.
module TestRun::Resumable
  extend ActiveSupport::Concern

  # A job signals at shorter intervals [s] that it is alive, whatever it does.
  SILENCE = 15

  included do
    scope :silent, -> { at_work.where("worked_on_at IS NULL OR worked_on_at < ?", SILENCE.seconds.ago) }
  end

  class_methods do
    # A run with a live worker keeps its lock, so that a superfluous call does no harm.
    def resume_abandoned(runs = silent)
      runs.find_each { |run| run.advance_later unless run.locked? }
      unjudged.find_each { |run| run.outcome.judge }
      Comparison.unweighed.find_each(&:weigh)
      unexamined.find_each { |run| run.examine_later unless run.locked?(:examination) }
      Experiment.silent.find_each { |experiment| experiment.advance_later unless experiment.locked? }
      [ Analysis, Comparison, Experiment::Evaluation, Prediction, Profile, QueueChange ].each do |kind|
        kind.abandoned.find_each(&:resume)
      end
      Webhook::Delivery.overdue.find_each(&:deliver_later)
      Build.abandoned.find_each(&:give_up)
      Command.overdue.find_each(&:give_up)
    end
  end

  # The worker that resumes a run records for how long there was none. A run in the queue is checked rarely.
  def note_neglect
    return if worked_on_at.nil? || queued? || worked_on_at > SILENCE.seconds.ago

    silence = Duration.format((Time.current - worked_on_at).round)
    record_event :unattended, "No worker attended to this run for #{silence}", since: worked_on_at.utc.iso8601(3)
  end

  # Every phase calls this often: a worker that has lost the lock must stop, and one that is silent for long counts as
  # dead.
  def show_life
    now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    return if @shown_life_at && now - @shown_life_at < 1

    @shown_life_at = now
    check_lock
    update_columns worked_on_at: Time.current
  end
end
