# Asks every provider what lives, and has it give back what belongs to no run at work. One that does not answer now is asked again
# the next time.
class Provider::Sweep
  attr_reader :released, :failures

  def self.perform
    new.tap(&:perform)
  end

  def initialize
    @released, @failures, @begun_at = [], {}, Time.current
  end

  def perform
    Provider.order(:id).each { |provider| sweep provider }
  end

  # Sentences for people
  def complaints
    failures.map { |provider, failure| "#{provider.name}: #{failure.message.chomp(".")}." }
  end

  private
    def sweep(provider)
      found = provider.leftovers
      provider.sweep found
    rescue Failure => failure
      Rails.logger.warn "Sweeping #{provider.name}: #{failure.message}"
      failures[provider] = failure
    ensure
      released.concat found.select { |machine| machine.released_at&.>= @begun_at } if found
    end
end
