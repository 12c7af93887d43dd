# Which run comes next: repetition by repetition, in each of them all points, so that a figure of every point is there
# early and what drifts over the hours falls on all points alike.
module Experiment::Scheduled
  # Of those at work or examined, one repetition of one point has at most so many.
  def attempts_allowed
    1 + again
  end

  # [ point, repetition ] of the run to be made now; nil where none is due, or not yet
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

  # The same, for pages: it writes nothing
  def upcoming
    find? ? search.upcoming : due
  end

  def search
    @search ||= Experiment::Search.new(self)
  end

  # Whether it is expected to make runs after the one at work
  def more_to_come?
    running? && !cancelled_at? && !by_steps? && runs_begun < runs_planned
  end

  # Whether the last word on some run is not yet spoken
  def waiting?
    all_runs.any? { |run| undecided? run }
  end

  # The runs of a point, by its id, as they were when this was read first
  def runs_by_point
    @runs_by_point ||= all_runs.group_by(&:point_id)
  end

  def all_runs
    @all_runs ||= test_runs.with_attached_archive.to_a
  end

  def run_at_work
    all_runs.find(&:at_work?)
  end

  # How many repetitions this point is to have, as far as it is known now
  def wanted_repetitions(point)
    return repetitions + point.extra unless tightness?

    had = point.accepted.size
    tight?(point) || had >= at_most ? had + point.extra : [ had + 1, 3 ].max.clamp(..at_most)
  end

  # Repetitions go on until the interval of the figure is as narrow as asked for.
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
