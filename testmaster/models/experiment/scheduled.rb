# Chooses the next run: one repetition after another, in each of them all points. So a figure of every point is known
# early, and a drift over the hours affects all points alike.
module Experiment::Scheduled
  # One repetition of one point has at most this many attempts; active runs and those being analysed count.
  def attempts_allowed
    1 + again
  end

  # Returns [ point, repetition ] of the run to start now; nil if none is due.
  def due
    return search.due if find?

    round = (1..most_repetitions + points.map(&:extra).max.to_i)
    round.each do |repetition|
      in_order(points.to_a, repetition).each do |point|
        return [ point, repetition ] if due?(point, repetition)
      end
    end
    nil
  end

  # Returns the same for pages, and writes nothing.
  def upcoming
    find? ? search.upcoming : due
  end

  def search
    @search ||= Experiment::Search.new(self)
  end

  # Returns whether further runs are expected after the active one.
  def more_to_come?
    running? && !cancelled_at? && !by_steps? && runs_begun < runs_planned
  end

  # Returns whether the verdict of some run is still open.
  def waiting?
    all_runs.any? { |run| undecided? run }
  end

  # Returns the runs of each point by its id, as of the first call.
  def runs_by_point
    @runs_by_point ||= all_runs.group_by(&:point_id)
  end

  def all_runs
    @all_runs ||= test_runs.with_attached_archive.to_a
  end

  def run_at_work
    all_runs.find(&:at_work?)
  end

  # Returns how many repetitions this point should have, as far as it is known now.
  def wanted_repetitions(point)
    return repetitions + point.extra unless tightness?

    had = point.accepted.size
    tight?(point) || had >= at_most ? had + point.extra : [ had + 1, 3 ].max.clamp(..at_most)
  end

  # Repetitions continue until the interval of the figure is as narrow as the definition requires.
  def tight?(point)
    figure, percent = tightness.match(Experiment::Definable::TIGHTNESS).captures
    estimate = point.figure(figure)
    estimate.n >= 3 && estimate.within?(percent.to_f)
  end

  def reload(...)
    @runs_made = @runs_begun = @runs_by_point = @all_runs = @search = @base_run = @planned_runs = @estimates = nil
    super
  end

  private
    def in_order(points, repetition)
      ordering == "random" ? points.shuffle(random: Random.new(seed + repetition)) : points
    end

    def due?(point, repetition)
      return false if point.skipped? || repetition > wanted_repetitions(point)

      made = point.runs.select { |run| run.repetition == repetition }
      made.size < attempts_allowed && made.none? { |run| undecided?(run) || run.verdict.sound? }
    end

    def undecided?(run)
      run.at_work? || run.verdict&.name == "examining"
    end
end
