# Rents machines for a run from a cloud: orders them, waits for them, prices them, keeps them within limits, releases
# them, and finds them by their mark if our tables have lost them. A cloud is a class that includes this and implements:
#
#   look_up(types)                   raises if one of them is unavailable; called before anything costs money
#   places                           returns Places for all machines of a run, in the order to try
#   grant_access(run_id, place)      creates keys and opens ports; its result is passed to order
#   withdraw_access(run_id)          removes what was needed only until the machines had started
#   sweep_access(kept)               removes keys and the like of all runs except those whose ids kept.call returns;
#                                    that is called after the cloud has listed them
#   order(machine, place, access)    rents one and returns its Server; a repeated attempt returns the same
#   servers_of(machines)             returns { reference => Server } of those that the cloud still knows
#   living_servers(machine = nil)    returns Servers with our mark that cost money, or those of one machine
#   terminate(references)            terminates them; one that has ended already is no error
#   console_output(machine)          returns its output while it booted
#   hourly_price(type)               returns USD; nil if neither own_price nor the table of prices has it
#   advice_about_end(code)           returns a remedy for a machine that has ended by itself
#   console                          returns the link to the cloud's own console
#   check                            as in every provider
#
# Each may be called again, and then does what is missing.
#
# A cloud also declares the settings instance_type and ssh_user; Settings has those that all clouds share. It overrides
# powered_off_costs if a machine that is switched off costs nothing, and prints_host_key if its console shows no host
# key.
module Provider::Rented
  extend ActiveSupport::Concern

  # A place of machines. All machines of a run are in one place, so that their distances are equal.
  Place = Struct.new(:reference, :name, :network)

  # A machine as the cloud reports it. state is pending, running or ended; tags has our tags: run, machine, role,
  # expires_at, name.
  Server = Struct.new(:reference, :state, :type, :image, :public_address, :private_address, :zone, :started_at, :tags,
    :end_code, :end_cause, keyword_init: true) do
    def running?
      state == "running"
    end

    def pending?
      state == "pending"
    end
  end

  included do
    include Provider::Configurable
    include Provider::Rented::Keeping, Provider::Rented::Launching, Provider::Rented::Limits
    include Provider::Rented::Releasing, Provider::Rented::Settings

    self.rented = true
    class_attribute :poll_interval, default: 2 # seconds
    class_attribute :powered_off_costs, :prints_host_key, default: true, instance_writer: false
  end

  def shell(machine)
    Machine::Shell::Ssh.new host: machine.host, user: ssh_user, port: ssh_port, private_key: private_key,
      host_keys: machine.host_keys.to_a,
      on_new_host_key: ->(key) { machine.update! host_keys: [ key ] }
  end

  # A machine switches itself off at the end of its lifetime, even if the Testmaster is not running.
  def hint
    [ "Rented for the run, then ended", *("paid until a sweep where it ended itself" if powered_off_costs) ].join("; ")
  end

  # The type applies to groups that name none.
  def default_type(role)
    (database_instance_type if role == "database") || instance_type
  end

  # The error has the cloud's own class, so that it uses the cloud's words.
  def failure(message, **rest)
    self.class::Error.new(message, **rest)
  end

  private
    def price_table
      "config/#{kind}_prices.yml"
    end

    def where_to_add_prices
      "add it under Type prices of the provider #{name}, or in #{price_table}"
    end

    def prices
      @prices ||= YAML.safe_load_file(Rails.root.join(price_table))
    end

    def usd(amount)
      format "%.2f USD", amount
    end
end
