# Finds the running machines of every provider, and releases those that belong to no active run. A provider that does
# not respond is tried again next time, and does not delay the others.
class Provider::Sweep
  include SideBySide

  BUSY = Failure.new("It is being swept already")

  attr_reader :released, :failures

  def self.perform
    new.tap(&:perform)
  end

  def initialize
    @released, @failures, @begun_at = [], {}, Time.current
  end

  def perform
    side_by_side(Provider.order(:id).to_a) { |provider| sweep provider }.each do |provider, (found, failure)|
      released.concat found.select { |machine| machine.released_at&.>= @begun_at }
      failures[provider] = failure if failure
      provider.note_sweep failure unless failure == BUSY
    end
  end

  # Returns sentences for people.
  def complaints
    failures.map { |provider, failure| "#{provider.name}: #{failure.message.chomp(".")}." }
  end

  private
    # Returns [ orphaned machines, reason why some are not released ].
    def sweep(provider)
      found = []
      provider.holding_lock { provider.sweep(found = provider.leftovers) || true } or raise BUSY
      [ found, nil ]
    rescue Failure => failure
      Rails.logger.warn "Sweeping #{provider.name}: #{failure.message}"
      [ found, failure ]
    rescue *Failure::OUR_OWN_TROUBLE
      raise
    rescue StandardError => error
      Rails.error.report error, handled: true, context: { provider: provider.id }
      [ found, Failure.new("#{error.class.name}: #{error.message.lines.first.to_s.strip}") ]
    end
end
