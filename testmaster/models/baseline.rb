# The run that later ones of the same name, or of the same tag, are compared with by themselves.
class Baseline < ApplicationRecord
  KINDS = %w[ name tag ]

  belongs_to :test_run
  belongs_to :creator, class_name: "User", default: -> { Current.user || User.order(:id).first }

  validates :kind, inclusion: { in: KINDS, message: "must be name or tag" }
  validate :run_has_it_and_can_be_compared

  scope :for_run, ->(run) { where(kind: "name", value: run.name).or(where(kind: "tag", value: run.tags)) }

  class << self
    # Takes the place of the one before it. kind: name or tag
    def mark(test_run, kind, value)
      find_or_initialize_by(kind: kind, value: value).tap do |baseline|
        baseline.update test_run: test_run, creator: Current.user || test_run.creator
      end
    rescue ActiveRecord::RecordNotUnique # somebody else marked another one just now: the later mark counts
      retry
    end

    # With which a run is compared: that of its name, or else of a tag, where it came before it
    def of(run)
      for_run(run).where(test_run_id: ...run.id).order(:kind, :value).first
    end
  end

  # "name Stability"
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
