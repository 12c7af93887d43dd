# Runs that would disturb one another wait for their turn, first come, first served.
module TestRun::Queueable
  extend ActiveSupport::Concern

  # Each run under way keeps a thread of the worker busy: see config/sidekiq.yml.
  AT_ONCE = 4

  included do
    scope :under_way, -> { where state: TestRun::Phase::NAMES - %w[ queued ] }
  end

  # Runs that come before this one.
  def ahead_in_queue
    provider.test_runs.queued.where("(launched_at, id) < (?, ?)", launched_at, id)
  end

  # The runs that this one waits for: those before it in the queue, or those at work that leave no room for it.
  def waits_for
    case
    when ahead_in_queue.any?          then ahead_in_queue.order(:launched_at, :id)
    when !hands_free?                 then others_under_way
    when !provider.room_for?(self)    then others_under_way.where(provider: provider)
    else self.class.none
    end
  end

  # Asked while the provider is locked.
  def its_turn?
    ahead_in_queue.none? && hands_free? && provider.room_for?(self)
  end

  # The first in the queue of each provider: any of them may have waited for us.
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
