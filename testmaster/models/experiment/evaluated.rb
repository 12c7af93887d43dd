# What comes of its runs: figures of points, and what the log analyzer says of them together.
module Experiment::Evaluated
  extend ActiveSupport::Concern

  EVERY = 60 # seconds at least, while it runs

  included do
    has_one :evaluation, dependent: :destroy, inverse_of: :experiment
  end

  # response: of what the effects are computed, where it is not that of the definition
  def evaluate_later(response: nil, drawn: true)
    Experiment::Evaluation.request_for self, response: response, drawn: drawn
  end

  # Between two loads on one machine there is time for figures, not for pictures.
  def evaluate_now_and_then
    return if evaluation && evaluation.reload.updated_at > EVERY.seconds.ago

    evaluate_later response: evaluation&.response, drawn: !provider.one_machine? || reload.ended?
  end

  # The design as the log analyzer reads it
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

  # A row for each run, and for each point that was skipped, as the log analyzer reads them
  def table
    made = by_steps? ? rows_of_tries :
      all_runs.filter_map { |run| row_of(run) if run.point && run.outcome.part_in_experiment }
    skipped = points.select(&:skipped?).map do |point|
      [ nil, point.number, nil, "skipped", nil, *levels_of(point), *([ nil ] * figures.size), nil ]
    end
    [ columns, *made, *skipped ]
  end

  # Those of its table: what every experiment is told by, and what its search asks for beside them
  def figures
    Figure.of(:try) | find.fetch("until", []).filter_map { |text| Condition.new(text, :try).figure }
  end

  QUEUE = [ "queue trend [1/s]", "queue steady" ] # the trend of what waits, where a search asks for it

  # The figures of each point, sorted by one of them; points without any come last.
  def points_by(figure = "number", descending: false)
    return points.to_a unless Figure[figure]&.known_to?(:try)

    known, unknown = points.partition { |point| point.figure(figure).mean }
    sorted = known.sort_by { |point| point.figure(figure).mean }
    (descending ? sorted.reverse : sorted) + unknown
  end

  # Of those that have the figure; nil where there is no other to compare it with
  def best_point(figure)
    known = points.select { |point| point.figure(figure).mean }
    return if known.size < 2

    by_mean = ->(point) { point.figure(figure).mean }
    Figure[figure].higher_is_better? ? known.max_by(&by_mean) : known.min_by(&by_mean)
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
