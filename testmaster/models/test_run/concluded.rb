# Stores the results of a run once it has ended, analyses its logs, and sends notifications.
module TestRun::Concluded
  extend ActiveSupport::Concern

  included do
    has_many :deliveries, class_name: "Webhook::Delivery", dependent: :nullify

    before_save -> { self.figures = outcome.figures_measured }, if: -> { state_changed? && ended? }
    before_save -> { assign_attributes outcome.columns_of_verdict }
    after_update_commit :examine_later, if: -> { saved_change_to_state? && ended? && archive.attached? }

    after_update_commit :report_end, if: -> { saved_change_to_state? && ended? && !archive.attached? }

    scope :unexamined,
      -> { where(state: TestRun::Summarized::ENDED, ended_at: ..30.seconds.ago).joins(:archive_attachment)
        .where("NOT figures ? 'examined' OR followed_up_at IS NULL") }
    # A migration leaves these to us, as it must not judge by the models of its time.
    scope :unjudged, -> { where state: TestRun::Summarized::ENDED, verdict_name: nil }
    scope :with_verdict, ->(name) { where "test_runs.verdict_name = ?", name.underscore }

    delegate :examine, :examined?, :measurement, :verdict, to: :outcome
  end

  def outcome
    @outcome ||= Outcome.new(self)
  end

  def reload(...)
    @outcome = nil
    super
  end

  # A copy has no results yet.
  def initialize_dup(other)
    @outcome = nil
    super
  end

  def examine_later
    TestRun::ExamineJob.perform_later self
  end

  # Each step may be repeated, as after a worker was killed.
  def follow_up
    outcome.compare_with_baseline
    profile_if_recorded
    report_end
    notify_experiment_of_verdict
    notify_checked_predictions
    update_columns followed_up_at: Time.current
  end

  # Notifies the account that launched the run, once the verdict is known.
  def report_end
    creator.webhook&.report self
  rescue Redis::BaseError, RedisClient::Error => error
    Rails.logger.warn "The end of test run #{id} is reported later: #{error.message}"
  end
end
