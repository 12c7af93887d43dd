# Describes the system under test: our brokers, or the server of another system, which may already run at an address.
class Definition::BrokerGroup
  include Definition::Worded

  SCENARIO = "Broker"

  has_words Definition::Words.of_group(first: Definition::Words::SYSTEM, scenario: SCENARIO)

  include Definition::Group

  validate do
    unless system
      errors.add :system, "must be #{System.all.to_sentence(two_words_connector: " or ", last_word_connector: " or ")}"
    end
  end
  validate :address_can_be_used, if: :address?
  validate :one_server, if: -> { system && !system.default? }

  # Returns the system under test; nil if it does not exist.
  def system
    System[attribute("system")]
  end

  # Returns the written name, whether or not the system exists.
  def system_name
    attribute("system")
  end

  # Returns text; see Definition::Sealed.
  def address
    super.then { |value| value.is_a?(Definition::Sealed) ? value.open : value }
  end

  def address=(text)
    super text.is_a?(Definition::Sealed) ? text : text.to_s.strip.presence
  end

  # A form that sends back the address as shown keeps it, with its password.
  def shown_address=(text)
    self.address = definition&.address_shown_as(text) || text
  end

  def address?
    attribute("address").present?
  end

  def role
    "broker"
  end

  # Counts the JVMs on all machines.
  def total
    address? ? 0 : jvms_in_all
  end

  # Returns the parsed address.
  def place
    Address::Server.new(address)
  end

  # Returns the address without its password, which no page shows.
  def shown_address
    place.without_password if address?
  end

  def to_h
    told = super
    return told.except("system", "address") if system&.default?

    { "system" => system_name, "address" => shown_address, **told }.compact
      .except("scenario", *(%w[ machines jvms ] if address?))
  end

  def summary
    case
    when !system&.default? then system&.label.to_s
    when scenario == SCENARIO then ActionController::Base.helpers.pluralize(total, "broker")
    else "#{total} #{scenario}"
    end
  end

  private
    def address_can_be_used
      complaint = system&.default? ? "is for other systems: the Testmaster starts brokers of MLMQ" :
        place.complaint(system&.schemes.to_a)
      errors.add :address, complaint if complaint
    end

    # Words about JVMs are invalid for a server.
    def one_server
      errors.add :machine_count, "must be 1: there is one server of #{system.label}" unless machine_count == 1
      errors.add :jvm_count, "must be 1: there is one server of #{system.label}" unless jvm_count == 1
      errors.add :heap, "is for JVMs, and #{system.label} runs in none" if heap && !system.jvm?
      errors.add :profile, "is for JVMs of MLMQ and clients only" if profile
      if address? && system.settings_of_server(settings).any?
        errors.add :settings, "#{system.settings_of_server(settings).keys.first} belongs to a server that the " \
          "Testmaster starts, and this one is there already"
      end
    end
end
