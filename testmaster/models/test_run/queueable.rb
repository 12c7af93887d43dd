# Queues runs that would disturb one another, first come, first served.
module TestRun::Queueable
  extend ActiveSupport::Concern

  # Each active run occupies a thread of the worker: see config/sidekiq.yml.
  AT_ONCE = 4

  included do
    scope :under_way, -> { where state: TestRun::Phase::NAMES - %w[ queued ] }
  end

  # Returns the runs before this one.
  def ahead_in_queue
    provider.test_runs.queued.where("(launched_at, id) < (?, ?)", launched_at, id)
  end

  # Returns the runs for which this one waits: those before it in the queue, or active runs that leave no room for it.
  def waits_for
    case
    when ahead_in_queue.any?          then ahead_in_queue.order(:launched_at, :id)
    when !hands_free?                 then others_under_way
    when !provider.room_for?(self)    then others_under_way.where(provider: provider)
    else self.class.none
    end
  end

  # This runs while the provider is locked.
  def its_turn?
    ahead_in_queue.none? && hands_free? && provider.room_for?(self)
  end

  # Calls the first run in the queue of each provider, as any of them may have waited for this one.
  def call_next_in_queue
    self.class.queued.order(:launched_at, :id).group_by(&:provider_id).each_value { |runs| runs.first.advance_later }
  end

  private
    def hands_free?
      others_under_way.count < AT_ONCE
    end

    def others_under_way
      self.class.under_way.where.not(id: id).order(:launched_at, :id)
    end
end
