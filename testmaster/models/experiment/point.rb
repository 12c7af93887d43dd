# A combination of one level of each factor, with its runs.
class Experiment::Point < ApplicationRecord
  self.table_name = "experiment_points"

  belongs_to :experiment, inverse_of: :points
  has_many :test_runs, -> { order :id }, dependent: :nullify, inverse_of: :point

  has_many :tries, -> { in_order }, class_name: "Experiment::Try", dependent: :delete_all, inverse_of: :point

  scope :skipped, -> { where.not skipped_at: nil }

  def skipped?
    skipped_at?
  end

  # Returns why it can be neither skipped nor run again; nil if it can.
  def objection
    case
    when experiment.find? then "The search itself says which levels are tried: add repetitions instead"
    when experiment.draft? then "The experiment is a draft: change it"
    end
  end

  # Returns false in a search.
  def skip
    !experiment.find? && update!(skipped_at: Time.current)
  end

  # Returns false, with the reasons among the errors of the experiment, if it is not possible.
  def unskip
    extend_experiment skipped_at: nil
  end

  # Adds a repetition; a skipped point is included again. Returns false as above.
  def rerun
    extend_experiment extra: extra + 1, skipped_at: nil
  end

  # Returns a text such as "workers 8, clients 30".
  def title
    experiment.factors.map { |factor| "#{factor.name} #{levels[factor.name]}" }.join(", ")
  end

  # Returns the runs whose figures count.
  def accepted
    runs.select { |run| run.verdict&.sound? }
  end

  def runs
    experiment.runs_by_point.fetch(id, [])
  end

  def figure(name)
    Experiment::Estimate.over(name, measured)
  end

  # Returns the figures of each run, or of each try within a run, that counts.
  def measured
    experiment.by_steps? ? counted_tries.map(&:figures) : accepted.map { |run| Experiment::Estimate.of(run) }
  end

  def counted_tries
    all_tries.select(&:counts?)
  end

  def all_tries
    experiment.tries_by_point.fetch(id, [])
  end

  private
    def extend_experiment(**changes)
      experiment.errors.add :base, objection if objection
      objection.nil? && experiment.extend_by { update!(**changes) }
    end
end
