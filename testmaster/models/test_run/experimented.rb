# A run that belongs to an experiment: which point and repetition it is, and whom its end concerns.
module TestRun::Experimented
  extend ActiveSupport::Concern

  included do
    belongs_to :experiment, optional: true, inverse_of: :test_runs
    belongs_to :point, class_name: "Experiment::Point", optional: true, inverse_of: :test_runs

    has_many :tries, -> { in_order }, class_name: "Experiment::Try", dependent: :delete_all, inverse_of: :test_run

    after_update_commit :tell_experiment, if: -> { experiment_id? && saved_change_to_state? }

    scope :in_experiment, ->(id) { where experiment_id: id.to_s.match?(/\A\d{1,18}\z/) ? id : nil }
  end

  # What the zip says of the experiment, so that all of them together can be evaluated without the Testmaster
  def as_part_of_experiment
    experiment&.then do |it|
      { **it.for_analyzer, "point" => point&.number, "repetition" => repetition, "attempt" => attempt,
        "levels" => point&.levels, "tries" => (tries.judged.map(&:as_part_of_run) if steps?) }.compact
    end
  end

  # Whether one rate after another is tried in it
  def steps?
    point_id.nil? && !!experiment&.by_steps?
  end

  # What it comes to is known.
  def tell_experiment_of_verdict
    experiment&.run_changed
    experiment&.evaluate_now_and_then
  end

  # Whether nothing that an earlier run left is at work on this machine: it would disturb the figures. Asked again and
  # again by a job, whose queries are cached.
  def quiet?
    return true if experiment.nil? || !provider.one_machine?

    self.class.uncached do
      !Experiment::Evaluation.at_work.exists?(experiment_id: experiment_id, drawn: false) &&
        experiment.test_runs.where(id: ...id).where("NOT figures ? 'examined'").with_attached_archive
          .none? { |run| run.at_work? || run.verdict.name == "examining" }
    end
  end

  # Whether its machines are of use to a run of the experiment after it
  def machines_for_next_run?
    !error? && !cancelled_at? && !!experiment&.reload&.more_to_come?
  end

  private
    # Its next run is prepared while this one is collected; what this one comes to is known once it is examined. A try
    # that its end has cut off is none.
    def tell_experiment
      return unless collecting? || ended?

      tries.measuring.delete_all
      experiment.run_changed
    end
end
