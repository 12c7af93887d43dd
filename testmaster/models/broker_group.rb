# What is under test: brokers of ours, or the server of another system, which may be there already at an address.
class BrokerGroup < ApplicationRecord
  include Group

  SCENARIO = "Broker"

  attribute :scenario, default: SCENARIO
  attribute :system, default: -> { System.default.name }
  encrypts :address

  normalizes :address, with: ->(text) { text.strip.presence }

  validate do
    unless system
      errors.add :system, "must be #{System.all.to_sentence(two_words_connector: " or ", last_word_connector: " or ")}"
    end
  end
  validate :address_can_be_used, if: :address?
  validate :one_server, if: -> { system && !system.default? }

  # What is under test; nil where there is no such system
  def system
    System[self[:system]]
  end

  def role
    "broker"
  end

  # JVMs on all machines
  def total
    address? ? 0 : machine_count.to_i * jvm_count.to_i
  end

  # What its address says, piece by piece
  def place
    Address::Server.new(address)
  end

  # A form that sends back what it was shown leaves the address, with its password, as it is.
  def shown_address=(text)
    self.address = text.to_s unless text == shown_address
  end

  # Without the password, which no page shows
  def shown_address
    place.without_password if address?
  end

  def to_definition
    return super if system&.default?

    { "system" => self[:system], "address" => shown_address, **(address? ? super.except("machines", "jvms") : super) }
      .compact.except("scenario")
  end

  def summary
    case
    when !system&.default? then system&.label.to_s
    when scenario == SCENARIO then ActionController::Base.helpers.pluralize(total, "broker")
    else "#{total} #{scenario}"
    end
  end

  # Nothing shows the password.
  def inspect
    "#<#{self.class.name} #{id} #{system}>"
  end

  private
    def address_can_be_used
      complaint = system&.default? ? "is for other systems: brokers of MLMQ are started by the Testmaster" :
        place.complaint(system&.schemes.to_a)
      errors.add :address, complaint if complaint
    end

    # What is said of JVMs does not fit it.
    def one_server
      errors.add :machine_count, "must be 1: there is one server of #{system.label}" unless machine_count == 1
      errors.add :jvm_count, "must be 1: there is one server of #{system.label}" unless jvm_count == 1
      errors.add :heap, "is for JVMs, and #{system.label} runs in none" if heap && !system.jvm?
      errors.add :profile, "is for JVMs of ours" if profile
      if address? && system.settings_of_server(settings).any?
        errors.add :settings, "#{system.settings_of_server(settings).keys.first} belongs to a server that the " \
          "Testmaster starts, and this one is there already"
      end
    end
end
