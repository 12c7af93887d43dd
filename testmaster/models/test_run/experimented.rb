# Links a run to its experiment: its point and repetition, and the notifications at its end.
module TestRun::Experimented
  extend ActiveSupport::Concern

  included do
    belongs_to :experiment, optional: true, inverse_of: :test_runs
    belongs_to :point, class_name: "Experiment::Point", optional: true, inverse_of: :test_runs

    has_many :tries, -> { in_order }, class_name: "Experiment::Try", dependent: :delete_all, inverse_of: :test_run

    after_update_commit :notify_experiment, if: -> { experiment_id? && saved_change_to_state? }

    scope :in_experiment, ->(id) { where experiment_id: id.to_s.match?(/\A\d{1,18}\z/) ? id : nil }
  end

  PLAN = { "design" => "grid", "repetitions" => 3, "factors" => [ { "name" => "workers",
    "path" => "brokers.0.settings.workers", "levels" => [ 2, 4, 8 ] } ] }

  # Returns the definition of an experiment over this run. Fixed rates fix the throughput, so response times are
  # compared.
  def to_experiment
    { **to_definition, "experiment" => definition.offered_load ? { **PLAN, "response" => "p99" } : PLAN }
  end

  # The zip contains this, so that all runs can be evaluated together without the Testmaster.
  def as_part_of_experiment
    experiment&.then do |it|
      { **it.for_analyzer, "point" => point&.number, "repetition" => repetition, "attempt" => attempt,
        "levels" => point&.levels, "tries" => (tries.judged.map(&:as_part_of_run) if steps?) }.compact
    end
  end

  # Returns whether the run tries one rate after another.
  def steps?
    point_id.nil? && !!experiment&.by_steps?
  end

  # Notifies the experiment that the verdict is known.
  def notify_experiment_of_verdict
    experiment&.run_changed
    experiment&.evaluate_now_and_then
  end

  # Returns whether earlier runs of the experiment have ended all work on this machine that would disturb the figures.
  # A job calls it repeatedly, so its queries bypass the cache.
  def quiet?
    return true if experiment.nil? || !provider.one_machine?

    self.class.uncached do
      !Experiment::Evaluation.at_work.exists?(experiment_id: experiment_id, drawn: false) &&
        experiment.test_runs.where(id: ...id).where("NOT figures ? 'examined'").with_attached_archive
          .none? { |run| run.at_work? || run.verdict.name == "examining" }
    end
  end

  # Returns whether the next run of the experiment can use its machines.
  def machines_for_next_run?
    !error? && !cancelled_at? && !!experiment&.reload&.more_to_come?
  end

  private
    # The next run is prepared while this one is collected; its verdict is known after its analysis. A try that its end
    # has cut off is deleted.
    def notify_experiment
      return unless collecting? || ended?

      tries.measuring.delete_all
      experiment.run_changed
    end
end
