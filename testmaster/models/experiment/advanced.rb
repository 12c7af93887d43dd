# The life of an experiment: a job starts one run after another. The end of a run triggers the next step. A step that
# was lost with a worker or with Redis is resumed, as with runs.
module Experiment::Advanced
  extend ActiveSupport::Concern

  SILENCE = 15 # seconds
  REPETITIONS = Experiment::Definable::REPETITIONS

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

  # The present run ends normally; no other starts. reason says why the experiment paused itself.
  def pause(reason = nil)
    paused = with_lock { note state: "paused", error: reason if running? && !cancelled_at? }
    creator.webhook&.report_pause self if paused && reason
    advance_later
  end

  def resume
    with_lock { continue if paused? }
  end

  # Adds repetitions of all points, also after the end. Returns false if there would be too many.
  def repeat(more)
    more = more.to_s.match?(/\A\d{1,3}\z/) ? more.to_i : 0
    wanted = most_repetitions + more
    note_more "more", "must be a whole number from 1, so that there are at most #{REPETITIONS.end} repetitions" if
      more.zero? || wanted > REPETITIONS.end
    extend_by { update! tightness? ? { at_most: wanted } : { repetitions: wanted } }
  end

  # Adds levels of a factor, and their points. Returns false if they are invalid.
  def add_levels(name, levels)
    factor = factors.find { |it| it.name == name }
    levels = levels.first(Experiment::Factor::MOST_LEVELS).map { |level| plain(level) }.uniq
    complaint = complaint_about_more(factor, levels)
    return note_more("levels", complaint) && false if complaint

    factor.assign_attributes levels: factor.levels + levels,
      paths: factor.paths.transform_values { |values| values + levels }
    fresh = planned_design.points - points.map(&:levels)
    note_too_many (points.reject(&:skipped?).size + fresh.size) * most_repetitions
    fresh.each do |point|
      mistakes_at(point).first(1).each { |mistake| note_more "levels", "do not fit: #{mistake}" } if errors.none?
    end
    extend_by { factor.save! && add_points(fresh) }.tap { |added| factor.reload unless added }
  end

  # Resumes the experiment if work is left.
  def continue
    return false if draft? || cancelling?

    note state: "running", resumed_at: Time.current, error: nil, ended_at: nil, cancelled_at: nil
    advance_later
    true
  end

  # The lock is that of each state change and of each launch: a run is either seen here, or not launched.
  def cancel
    with_lock { note cancelled_at: Time.current, state: "running", error: nil if at_work? }
    return unless cancelling?

    test_runs.at_work.each(&:cancel)
    advance_later
  end

  def advance_later
    Experiment::AdvanceJob.perform_later self
  end

  # Runs call this at the end of their load, at their end, and after their analysis.
  def run_changed
    advance_later
    refresh_pages
  end

  # Performs one step. A superfluous call does nothing.
  def advance
    holding_lock do
      reload
      touch :worked_on_at
      step if running?
      release_kept_machines unless running?
    end
  end

  # Returns the machines that the last run has kept for the next one.
  def kept_machines
    Machine.kept.where(test_run: test_runs).order(:id).includes(:provider, :test_run)
  end

  private
    def complaint_about_more(factor, levels)
      case
      when draft?               then "can be added once it is launched: change the draft"
      when factor.nil?          then "need a factor: #{factors.map(&:name).to_sentence(last_word_connector: " or ",
        two_words_connector: " or ")}"
      when !design.in?(%w[ grid one-factor ]) then "cannot be added to a #{design} design, whose points are given"
      when levels.empty? || !levels.all? { |level| level?(level) } then "must be a list of values such as 16, 32"
      when (factor.levels & levels).any? then "are there already: #{(factor.levels & levels).join(", ")}"
      when factor.levels.size + levels.size > Experiment::Factor::MOST_LEVELS
        "may be #{Experiment::Factor::MOST_LEVELS}"
      when factor.paths.any? { |_, values| values != factor.levels }
        "cannot be added to #{factor.name}, which sets other values than its levels"
      end
    end

    # The update must not depend on whether the definition would be valid today.
    def note(**attributes)
      assign_attributes attributes
      save! validate: false
    end

    def add_points(fresh)
      last = points.map(&:number).max
      fresh.each_with_index { |levels, n| points.create! number: last + n + 1, levels: levels }
    end

    def begin_to_run
      now = Time.current
      update! state: "running", launched_at: now, resumed_at: now
    end

    def note_objections
      errors.add :base, "has been launched already" if self.class.lock.where(id: id).where.not(launched_at: nil).exists?
      objections.each { |objection| errors.add :base, objection }
      runs_planned.zero? && errors.add(:base, "has no run to make")
    end

    def step
      return give_up if cancelled_at?
      return if run_in_the_way?

      pin_revision
      if (failure = constant_failure) && upcoming
        pause failure
      elsif point_and_repetition = due
        begin_run(*point_and_repetition)
      elsif !waiting?
        finish
      end
    rescue Cancelled
      end_as "cancelled"
    rescue Failure => failure
      end_as "failed", [ failure.message, failure.advice ].compact.join(" ")
    rescue *Failure::OUR_OWN_TROUBLE
      raise
    rescue StandardError => error
      Rails.error.report error, handled: true, context: { experiment: id }
      reload.pause "#{error.class.name}: #{error.message.lines.first.to_s.strip.chomp(".")}. " \
        "#{TestRun::Phase::ADVICE_ON_MISTAKES} Resume it once that is mended."
    end

    def give_up
      left = all_runs.select(&:at_work?)
      left.any? ? left.each(&:cancel) : end_as("cancelled")
    end

    # The sweep releases machines that cannot be released now.
    def release_kept_machines
      kept_machines.group_by(&:provider).each { |provider, machines| provider.release_all machines }
    end

    # A run blocks the next until its load is over. The rest of it may overlap with the preparation of the next.
    def run_in_the_way?
      all_runs.any? { |run| run.at_work? && !(run.collecting? && provider.one_machine?) }
    end

    # The revision is resolved once for all points, so that all runs measure the same build.
    def pin_revision
      return if build&.ready?

      update! build: Build.of(base_run.revision)
      build.perform { check_cancellation }
    end

    def check_cancellation
      check_lock
      touch :worked_on_at if worked_on_at < 1.second.ago
      raise Cancelled if self.class.uncached { self.class.where(id: id).pick(:cancelled_at) }
    end

    def begin_run(point, repetition)
      return begin_run_of_steps if by_steps?

      run = run_at(point.levels, "point #{point.number}, #{repetition.ordinalize}")
      attempt = next_attempt(point.runs.select { |other| other.repetition == repetition })
      launch_part run, point: point, repetition: repetition, attempt: attempt
    end

    # The lock prevents a second run by a worker that has lost the experiment's own lock.
    def begin_run_of_steps
      attempt = next_attempt(all_runs)
      run = run_of_steps("search, #{attempt.ordinalize}")
      with_lock { launch_part run, attempt: attempt if test_runs.where(attempt: attempt).none? }
    end

    # The number is not a count, as runs may have been deleted.
    def next_attempt(runs)
      runs.filter_map(&:attempt).max.to_i + 1
    end

    # A user may have cancelled or paused the experiment meanwhile.
    def launch_part(run, **place)
      run.assign_attributes experiment: self, **place, creator: creator, build: build
      launched = with_lock { run.launch if running? && !cancelled_at? }
      pause "Run #{run.name} could not be launched: #{run.errors.full_messages.to_sentence}" if launched == false
    rescue ActiveRecord::RecordNotUnique
      raise unless reload.run_at_work # a worker that took the lost lock has started it
    end

    # A user may have added repetitions or levels meanwhile.
    def finish
      with_lock { end_as "finished" if running? && !cancelled_at? && upcoming.nil? && !waiting? }
    end

    def end_as(state, error = nil)
      note state: state, error: error, ended_at: Time.current
      evaluate_later response: evaluation&.response
    end
end
