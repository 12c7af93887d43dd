# The life of an experiment: run after run, each of them a step that a job begins. The end of a run calls for the next
# step; what was lost with a worker or with Redis is taken up again, as runs are.
module Experiment::Advanced
  extend ActiveSupport::Concern

  SILENCE = 15 # seconds

  included do
    scope :silent, -> {
      running.where("experiments.worked_on_at IS NULL OR experiments.worked_on_at < ?", SILENCE.seconds.ago)
    }
  end

  def launch
    launched = valid? && base_run.provider.with_lock { note_objections; errors.none? && save && begin_to_run }
    advance_later if launched
    !!launched
  end

  # Its present run goes to its end; no other begins.
  def pause(reason = nil)
    update! state: "paused", error: reason if running?
  end

  def resume
    take_up if paused?
  end

  # More repetitions of all points, also of one that has ended
  def repeat(more)
    if tightness?
      update! at_most: at_most + more
    else
      update! repetitions: repetitions + more
    end
    take_up
  end

  # Goes on where something is left to do.
  def take_up
    update! state: "running", error: nil, ended_at: nil, cancelled_at: nil unless draft?
    advance_later
  end

  def cancel
    return unless at_work?

    update! cancelled_at: Time.current, state: "running"
    test_runs.at_work.each(&:cancel)
    advance_later
  end

  def advance_later
    Experiment::AdvanceJob.perform_later self
  end

  # Called by its runs, at the end of their load, at their end, and when they are examined.
  def run_changed
    advance_later
    refresh_pages
  end

  # One step. Asked once too often, it finds that there is nothing to do.
  def advance
    holding_lock do
      reload
      touch :worked_on_at
      step if running?
    end
  end

  private
    def begin_to_run
      update! state: "running", launched_at: Time.current
    end

    def note_objections
      errors.add :base, "has been launched already" if self.class.lock.where(id: id).where.not(launched_at: nil).exists?
      objections.each { |objection| errors.add :base, objection }
      runs_planned.zero? && errors.add(:base, "has no run to make")
    end

    def step
      return end_as("cancelled") if cancelled_at? && run_at_work.nil?
      return if cancelled_at? || run_in_the_way?

      pin_revision
      if point_and_repetition = due
        begin_run(*point_and_repetition)
      elsif !waiting?
        end_as "finished"
      end
    rescue TestRun::Cancelled
      end_as "cancelled"
    rescue Failure => failure
      end_as "failed", [ failure.message, failure.advice ].compact.join(" ")
    end

    # Until its load is over. What follows then may go on beside the preparation of the next.
    def run_in_the_way?
      run_at_work && !(run_at_work.collecting? && provider.one_machine?)
    end

    # Once, for all points: what is built then is what is measured.
    def pin_revision
      return if build&.ready?

      update! build: Build.of(base_run.revision)
      build.perform { heed_cancellation }
    end

    def heed_cancellation
      heed_lost_lock
      touch :worked_on_at if worked_on_at < 1.second.ago
      raise TestRun::Cancelled if self.class.uncached { self.class.where(id: id).pick(:cancelled_at) }
    end

    def begin_run(point, repetition)
      run = run_at(point.levels, "point #{point.number}, #{repetition.ordinalize}")
      attempt = point.runs.count { |other| other.repetition == repetition } + 1
      run.assign_attributes experiment: self, point: point, repetition: repetition, attempt: attempt, creator: creator,
        build: build
      pause "Run #{run.name} could not be launched: #{run.errors.full_messages.to_sentence}" unless run.launch
    rescue ActiveRecord::RecordNotUnique
      nil # somebody whose lock was lost has begun it
    end

    def end_as(state, error = nil)
      update! state: state, error: error, ended_at: Time.current
      evaluate_later
    end
end
