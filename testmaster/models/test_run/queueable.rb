# Runs that would disturb one another wait for their turn, first come, first served.
module TestRun::Queueable
  extend ActiveSupport::Concern

  included do
    scope :under_way, -> { where state: TestRun::Phased::PHASES - %w[ queued ] }
  end

  # Runs that come before this one.
  def ahead_in_queue
    provider.test_runs.queued.where("(launched_at, id) < (?, ?)", launched_at, id)
  end

  private
    def take_turn
      provider.with_lock do
        enter "provisioning" if ahead_in_queue.none? && provider.room_for?(self)
      end
    end

    def call_next_in_queue
      provider.test_runs.queued.order(:launched_at, :id).first&.advance_later
    end
end
