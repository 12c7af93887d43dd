# Tells the account that launched a run that it has ended, once what it comes to is known.
module TestRun::Reported
  extend ActiveSupport::Concern

  included do
    has_many :deliveries, class_name: "Webhook::Delivery", dependent: :nullify
    after_update_commit :report_end, if: -> { saved_change_to_state? && ended? && !archive.attached? }
  end

  def report_end
    creator.webhook&.report self
  rescue Redis::BaseError, RedisClient::Error => error
    Rails.logger.warn "The end of test run #{id} is reported later: #{error.message}"
  end
end
