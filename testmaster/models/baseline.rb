# The run with which later runs of the same name or tag are compared automatically.
class Baseline < ApplicationRecord
  KINDS = %w[ name tag ]

  belongs_to :test_run
  belongs_to :creator, class_name: "User", default: -> { Current.user || User.order(:id).first }

  validates :kind, inclusion: { in: KINDS, message: "must be name or tag" }
  validate :run_has_it_and_can_be_compared

  scope :for_run, ->(run) { where(kind: "name", value: run.name).or(where(kind: "tag", value: run.tags)) }

  class << self
    # Replaces the former baseline. kind is name or tag.
    def mark(test_run, kind, value)
      find_or_initialize_by(kind: kind, value: value).tap do |baseline|
        baseline.update test_run: test_run, creator: Current.user || test_run.creator
      end
    rescue ActiveRecord::RecordNotUnique # another user marked a run at the same time: the later mark counts
      retry
    end

    # Returns the baseline of the run's name, or else of one of its tags, if it is older than the run.
    def of(run)
      for_run(run).where(test_run_id: ...run.id).order(:kind, :value).first
    end
  end

  # Returns a text such as "name Stability".
  def words
    "#{kind} #{value}"
  end

  private
    def run_has_it_and_can_be_compared
      return unless test_run

      known = kind == "tag" ? test_run.tags : [ test_run.name ]
      errors.add :value, "must be the name or a tag of the run" unless value.in?(known)
      unless test_run.ended? && test_run.archive.attached?
        errors.add :test_run, "must have ended, with logs: nothing could be compared with it"
      end
    end
end
