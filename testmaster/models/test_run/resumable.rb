# Runs whose job vanished, with its worker or with Redis, are found and taken up again.
module TestRun::Resumable
  extend ActiveSupport::Concern

  # Seconds between two signs of life of a job are fewer, whatever it does.
  SILENCE = 15

  included do
    scope :silent, -> { at_work.where("worked_on_at IS NULL OR worked_on_at < ?", SILENCE.seconds.ago) }
  end

  class_methods do
    # A run that is well looked after keeps its lock, so that asking once too often does no harm.
    def resume_abandoned(runs = silent)
      runs.find_each { |run| run.advance_later unless run.locked? }
      unexamined.find_each(&:examine_later)
      Analysis.abandoned.find_each { |analysis| analysis.perform_later unless analysis.locked? }
      Command.overdue.find_each(&:give_up)
    end
  end

  private
    def show_life
      make_sure_of_lock
      touch :worked_on_at
    end
end
