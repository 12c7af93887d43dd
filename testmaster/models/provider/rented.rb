# Machines that are rented for a run, whichever cloud they come from: they are ordered, waited for, priced, kept within
# limits, given back, and found by their mark where our own tables have lost them. A cloud is a class that includes this
# and answers:
#
#   look_up(types)                   raises where one of them cannot be had; asked before anything costs money
#   places                           where all machines of a run could be, in the order to try: Places
#   grant_access(run_id, place)      makes keys and opens ports; what it returns is handed to order
#   withdraw_access(run_id)          takes away what was needed only until the machines had started
#   sweep_access(kept)               removes keys and the like of all runs but those whose ids kept.call says, once the
#                                    cloud has told what there is
#   order(machine, place, access)    rents one: its Server. Asked again for the same attempt, the same one
#   servers_of(machines)             { reference => Server } of those that the cloud still knows
#   living_servers(machine = nil)    Servers that carry our mark and cost money, or those of one machine
#   terminate(references)            ends them; one that has ended already is no error
#   console_output(machine)          what it printed while it booted
#   hourly_price(type)               USD, nil where the table of prices does not know it
#   advice_about_end(code)           what to do where a machine has ended by itself
#   console                          where people look at what the cloud itself says
#   check                            as every provider
#
# Each may be asked again, and then does what is missing.
#
# and declares the settings instance_type and ssh_user; what all clouds share is in Settings. Where it differs it says
# that a machine that has switched itself off is not paid (powered_off_costs), and that its console shows no host key
# (prints_host_key).
module Provider::Rented
  extend ActiveSupport::Concern

  # Where machines can be: all of a run are in one, so that they are equally far from one another.
  Place = Struct.new(:reference, :name, :network)

  # A machine by the cloud's own account. state: pending, running or ended; tags: those of ours, by run, machine, role,
  # expires_at, name
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

  # A machine switches itself off when its time is up, also where nobody is there to end it.
  def hint
    [ "Rented for the run, then ended", *("paid until a sweep where it ended itself" if powered_off_costs) ].join("; ")
  end

  # Of a machine whose group names none
  def default_type(role)
    (database_instance_type if role == "database") || instance_type
  end

  # Of this cloud's own class, so that it is told in its words.
  def failure(message, **rest)
    self.class::Error.new(message, **rest)
  end

  private
    def price_table
      "config/#{kind}_prices.yml"
    end

    def prices
      @prices ||= YAML.safe_load_file(Rails.root.join(price_table))
    end

    def usd(amount)
      format "%.2f USD", amount
    end
end
