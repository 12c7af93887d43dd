# Represents an experiment as JSON and CSV in the words of its definition, without secrets.
module Experiment::Represented
  extend ActiveSupport::Concern

  ACCEPTED = %w[ accepted threshold_broken ] # verdicts of runs that count

  included { attr_writer :runs_made, :runs_begun }

  class_methods do
    # Loads the numbers of runs of all experiments at once.
    def preload_counts(experiments)
      runs = TestRun.where(experiment_id: experiments.map(&:id))
      begun, made = [ runs, runs.where(verdict_name: ACCEPTED) ].map { |some| some.group(:experiment_id).count }
      experiments.each do |experiment|
        experiment.runs_begun, experiment.runs_made = begun.fetch(experiment.id, 0), made.fetch(experiment.id, 0)
      end
    end
  end

  # summary: true is for lists.
  def as_json(options = nil)
    summary = { "id" => id, "name" => name, "state" => state, "design" => design_in_words, "summary" => self.summary,
      "error" => error, "cancelling" => cancelling?, "runs_planned" => runs_planned, "runs_made" => runs_made,
      "created_at" => created_at, "launched_at" => launched_at, "ended_at" => ended_at }
    return summary.as_json if options&.dig(:summary)

    { **summary, "worker" => Worker.running?, "commit" => build&.commit_sha, "response" => response,
      "runs" => (all_runs.map { |run| json_of_run run } if by_steps?),
      "factors" => factors.map(&:to_definition), "found" => (search.answer if find?), "confounded" => confounded,
      "points" => points.map { |it| point_as_json it }, "results" => evaluation&.results.presence,
      "evaluation" => evaluation&.slice("state", "error", "runs", "completed_at"),
      "definition" => to_definition }.compact.as_json
  end

  # Returns the table for the log analyzer, with the figures of each operation behind it.
  def to_csv
    operations, runs = (by_steps? ? [] : Experiment::Operation.of(self)), all_runs.index_by(&:id)
    header, *rows = table
    CSV.generate do |csv|
      csv << header + operations.flat_map(&:columns)
      rows.each { |row| csv << row + operations.flat_map { |it| it.values_in(runs[row.first]) } }
    end
  end

  # Counts accepted runs.
  def runs_made
    @runs_made ||= all_runs.count { |run| run.outcome.part_in_experiment == "accepted" }
  end

  # Counts all runs, whatever their result.
  def runs_begun
    @runs_begun ||= all_runs.size
  end

  # Returns the confounded effects of a 2^(k−p) design.
  def confounded
    planned_design.confounded unless find?
  end

  # Returns the planned runs before the launch, and the launch blockers.
  def plan_as_json
    return { "errors" => errors.full_messages } if errors.any?

    { "runs" => runs_planned, "seconds" => estimated_time, "cost" => estimated_cost&.to_f,
      "cost_at_most" => highest_cost&.to_f, "objections" => objections,
      "confounded" => confounded, "table" => table_of_runs.map { |number, repetition, levels|
        { "point" => number, "repetition" => repetition, "levels" => in_order_of_factors(levels) }
      } }.compact
  end

  def point_as_json(point)
    { "point" => point.number, "levels" => in_order_of_factors(point.levels), "skipped" => point.skipped?,
      "runs" => point.runs.map { |run| json_of_run run },
      "tries" => (point.all_tries.map(&:as_json) if by_steps?), "figures" => Figure.of(:try).to_h { |it|
        [ it.column, point.figure(it.name) ]
      }.select { |_, figure| figure.mean || figure.why_unknown } }.compact
  end

  private
    # PostgreSQL keeps pairs in an order of its own.
    def in_order_of_factors(levels)
      levels.slice(*kept_factors.map(&:name))
    end

    def json_of_run(run)
      { "id" => run.id, "name" => run.name, "state" => run.state,
        "repetition" => run.repetition, "attempt" => run.attempt, "verdict" => run.verdict&.to_h,
        "part" => run.outcome.part_in_experiment,
        "reason" => (run.verdict.reason if run.outcome.part_in_experiment.in?(%w[ rejected failed ])) }
    end
end
