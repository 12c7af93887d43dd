# Releases machines. The cloud knows which machines are running, and our mark finds them; our tables may have been lost
# or restored.
module Provider::Rented::Releasing
  def release(machine)
    part_with machine
    run = machine.test_run
    withdraw_access run.id if run && run.machines.held.where.not(id: machine.id).none?
  end

  def release_all(machines)
    super.tap { machines.filter_map(&:test_run).uniq.each { |run| withdraw_access_after run } }
  end

  # Returns the running machines with our mark; one that our tables have lost is a new record.
  def live_machines
    living_servers.map { |server| known_machine(server) || forgotten_machine(server) }
  end

  # Runs are read after the machines, so that machines of a run that begins meanwhile count as its own.
  def leftovers
    live = self.class.uncached { live_machines }
    at_work = runs_at_work
    live.select do |machine|
      machine.released? || machine.expires_at&.past? ||
        !(waits_for_next_run?(machine) || at_work.include?(machine.test_run_id || machine.tagged_run))
    end
  end

  # Releases machines, and access that was created for ended runs.
  def sweep(found = leftovers)
    super
    sweep_access -> { runs_at_work | self.class.uncached { machines.held.map(&:rented_for) } }
  end

  # A machine that does not respond, or on which a JVM died, may have ended: by the cloud, by its own timer, or by a
  # person. Its processes are killed first while it still responds.
  def explain(failure)
    machine = failure.machine
    return failure if failure.is_a?(Provider::Error) || !machine&.reference?

    server = servers_of([ machine ])[machine.reference]
    server&.running? ? failure : Provider::Rented::Boot.new(self, machine).ended(server)
  rescue Provider::Error
    failure # the cloud cannot provide more now
  end

  private
    # A machine whose id was never stored is found by its mark.
    def part_with(machine)
      terminate machine.reference? ? [ machine.reference ] : living_servers(machine).map(&:reference)
    end

    # The sweep removes what cannot be removed now.
    def withdraw_access_after(run)
      withdraw_access run.id if run.machines.held.none?
    rescue Provider::Error => error
      Rails.logger.warn "What run #{run.id} had for access is left for the sweep: #{error.message}"
    end

    def runs_at_work
      TestRun.uncached { TestRun.at_work.where(provider: self).ids }
    end

    def known_machine(server)
      machines.order(:id).where(reference: server.reference).last ||
        machines.find_by(id: server.tags[:machine], reference: nil)
    end

    # It belongs to no run, even if an active run ordered it: it has none of the logs.
    def forgotten_machine(server)
      tags = server.tags
      Machine.new provider: self, state: "lost", name: tags[:name] || server.reference,
        role: tags[:role].presence_in(Machine::ROLES) || "all", tagged_run: tags[:run].to_i,
        reference: server.reference, host: server.public_address || server.private_address,
        instance_type: server.type, hourly_price: hourly_price(server.type),
        provisioned_at: server.started_at, expires_at: tags[:expires_at]
    end
end
