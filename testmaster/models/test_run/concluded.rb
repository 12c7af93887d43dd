# What came of a run is kept with it once it has ended, examined once its logs are there, and told to whom it concerns.
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
    # Left to us by a migration, which must not judge by the models of its day
    scope :unjudged, -> { where state: TestRun::Summarized::ENDED, verdict_name: nil }
    scope :with_verdict, ->(name) { where verdict_name: name.underscore }

    delegate :examine, :examined?, :measurement, :verdict, to: :outcome
  end

  def outcome
    @outcome ||= Outcome.new(self)
  end

  def reload(...)
    @outcome = nil
    super
  end

  # A copy has come to nothing yet.
  def initialize_dup(other)
    @outcome = nil
    super
  end

  def examine_later
    TestRun::ExamineJob.perform_later self
  end

  # Each step may be done again, as after a worker was killed.
  def follow_up
    outcome.compare_with_baseline
    profile_if_recorded
    report_end
    tell_experiment_of_verdict
    tell_checked_predictions
    update_columns followed_up_at: Time.current
  end

  # Tells the account that launched it, once what it comes to is known.
  def report_end
    creator.webhook&.report self
  rescue Redis::BaseError, RedisClient::Error => error
    Rails.logger.warn "The end of test run #{id} is reported later: #{error.message}"
  end
end
