# The results of its runs: figures of points, and the log analyzer's evaluation of all runs.
module Experiment::Evaluated
  extend ActiveSupport::Concern

  EVERY = 60 # seconds between two evaluations, at least

  included do
    has_one :evaluation, dependent: :destroy, inverse_of: :experiment
  end

  # response is the figure whose effects are computed, if it is not that of the definition.
  def evaluate_later(response: nil, drawn: true)
    Experiment::Evaluation.request_for self, response: response, drawn: drawn
  end

  # The time between two loads on one machine is enough for figures, not for pictures.
  def evaluate_now_and_then
    return if evaluation && evaluation.reload.updated_at > EVERY.seconds.ago

    evaluate_later response: evaluation&.response, drawn: !provider.one_machine? || reload.ended?
  end

  # Returns the design in the format of the log analyzer.
  def for_analyzer
    { "id" => id, "name" => name, "design" => design,
      "analysis" => find? ? "search" : Experiment::Design.all.fetch(design).analysis,
      "generators" => generators, "seed" => seed,
      "until" => find.fetch("until", []),
      "response" => response, "factors" => factors.map { |factor|
        { "name" => factor.name, "path" => factor.paths.keys.join(", "), "levels" => factor.levels,
          "unit" => factor.unit.to_s }
      } }
  end

  # Returns a row for each run and each skipped point, in the format of the log analyzer.
  def table
    made = by_steps? ? rows_of_tries :
      all_runs.filter_map { |run| row_of(run) if run.point && run.outcome.part_in_experiment }
    skipped = points.select(&:skipped?).map do |point|
      [ nil, point.number, nil, "skipped", nil, *levels_of(point), *([ nil ] * figures.size), nil ]
    end
    [ columns, *made, *skipped ]
  end

  # Returns the figures of its table: those of every experiment, and those that its search needs.
  def figures
    Figure.of(:try) | find.fetch("until", []).filter_map { |text| Condition.new(text, :try).figure }
  end

  QUEUE = [ "queue trend [1/s]", "queue steady" ] # the trend of the queue length, if a search asks for it

  # Returns the figures of each point, sorted by one of them; points without any come last.
  def points_by(figure = "number", descending: false)
    return points.to_a unless Figure[figure]&.known_to?(:try)

    known, unknown = points.partition { |point| point.figure(figure).mean }
    sorted = known.sort_by { |point| point.figure(figure).mean }
    (descending ? sorted.reverse : sorted) + unknown
  end

  # Only points with the figure count; returns nil if there are fewer than two.
  def best_point(figure)
    known = points.select { |point| point.figure(figure).mean }
    return if known.size < 2

    by_mean = ->(point) { point.figure(figure).mean }
    case Figure[figure].better
    when "higher" then known.max_by(&by_mean)
    when "lower"  then known.min_by(&by_mean)
    end
  end

  private
    def columns
      [ "run", "point", "repetition", "state", "reason", *factors.map(&:name),
        *figures.map(&:column), "fixed_work [us]",
        *(QUEUE if find?) ]
    end

    def row_of(run)
      reason = run.verdict.reason if run.outcome.part_in_experiment != "accepted"
      [ run.id, run.point.number, run.repetition, run.outcome.part_in_experiment, reason&.squish, *levels_of(run.point),
        *values_of(Experiment::Estimate.of_try(run, figures)) ]
    end

    def rows_of_tries
      examined = tries_in_order.select { |it| it.examined? && it.test_run.outcome.part_in_experiment }
      examined.group_by(&:test_run).flat_map do |run, tries|
        state, reason = run.outcome.part_in_experiment, run.verdict.reason
        tries.each_with_index.map do |it, n|
          [ "#{run.id} try #{n + 1}", it.point.number, it.repetition, state, (reason.squish if state != "accepted"),
            *levels_of(it.point), *values_of(it.figures) ]
        end
      end
    end

    def values_of(measured)
      measured.values_at(*figures.map(&:name), "fixed_work", *([ "queue trend", Condition::STEADY ] if find?))
    end

    def levels_of(point)
      factors.map { |factor| point.levels[factor.name] }
    end
end
