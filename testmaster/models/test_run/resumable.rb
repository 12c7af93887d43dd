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
      unexamined.find_each { |run| run.examine_later unless run.locked?(:examination) }
      Analysis.abandoned.find_each(&:resume)
      Build.abandoned.find_each(&:give_up)
      Command.overdue.find_each(&:give_up)
    end
  end

  private
    # To be called often, in every phase: who has lost the lock must not go on, and who is silent for long is taken for dead.
    def show_life
      return if @shown_life_at && monotonic_now - @shown_life_at < 1

      @shown_life_at = monotonic_now
      heed_lost_lock
      touch :worked_on_at
    end

    # While machines work, whoever waits for them shows life.
    def meanwhile
      show_life
    end

    # For one thing that takes long; the block is run beside us.
    def attended
      side_by_side([ self ]) { yield }.fetch(self)
    end
end
