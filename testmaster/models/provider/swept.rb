# Records the sweeps of a provider. A sweep that keeps failing is reported, as orphaned machines may cost money.
module Provider::Swept
  extend ActiveSupport::Concern

  PATIENCE = 10.minutes # a cloud may be unavailable for a short time

  included do
    scope :unswept, -> { where(sweep_failing_since: ..PATIENCE.ago).order(:id) }
  end

  # failure is nil after a success. Administrators' webhooks are notified once each time that failures persist.
  def note_sweep(failure)
    now = Time.current
    if failure.nil?
      update_columns swept_at: now, sweep_failing_since: nil, sweep_error: nil, sweep_told_at: nil
    else
      update_columns sweep_failing_since: sweep_failing_since || now, sweep_error: failure.message.truncate(1_000)
      notify_administrators if unswept? && sweep_told_at.nil?
    end
  end

  def unswept?
    !!sweep_failing_since&.before?(PATIENCE.ago)
  end

  # Returns a text such as "cloud cannot be swept since 14:02 UTC: …".
  def unswept_in_words
    "#{name} cannot be swept since #{sweep_failing_since.utc.strftime("%F %H:%M UTC")}: #{sweep_error}" if unswept?
  end

  private
    def notify_administrators
      update_columns sweep_told_at: Time.current
      User.administrators.filter_map(&:webhook).each { |webhook| webhook.report_unswept self }
    rescue Redis::BaseError, RedisClient::Error => error
      Rails.logger.warn "Nobody is told that #{name} cannot be swept: #{error.message}"
    end
end
