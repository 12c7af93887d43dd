# Giving back. The truth about what lives is the cloud's, found by our mark; our own tables may have been lost or
# restored since.
module Provider::Rented::Releasing
  def release(machine)
    part_with machine
    run = machine.test_run
    withdraw_access run.id if run && run.machines.held.where.not(id: machine.id).none?
  end

  def give_back(machines)
    super.tap { machines.filter_map(&:test_run).uniq.each { |run| withdraw_access_after run } }
  end

  # What lives and carries our mark, as machines; one that our tables have lost is a new record.
  def live_machines
    living_servers.map { |server| known_machine(server) || forgotten_machine(server) }
  end

  # The runs are read last: what a run that begins meanwhile has rented is its own.
  def leftovers
    live = self.class.uncached { live_machines }
    at_work = runs_at_work
    live.select do |machine|
      machine.released? || machine.expires_at&.past? ||
        !(waits_for_next_run?(machine) || at_work.include?(machine.test_run_id || machine.tagged_run))
    end
  end

  # Beyond machines: what was made for runs that are over.
  def sweep(found = leftovers)
    super
    sweep_access -> { runs_at_work | self.class.uncached { machines.held.map(&:rented_for) } }
  end

  # A machine that does not answer, or on which a JVM died, may have ended: taken back by the cloud, by its own timer,
  # by a person. What runs on it is killed first, while it still answers.
  def explain(failure)
    machine = failure.machine
    return failure if failure.is_a?(Provider::Error) || !machine&.reference?

    server = servers_of([ machine ])[machine.reference]
    server&.running? ? failure : Provider::Rented::Boot.new(self, machine).ended(server)
  rescue Provider::Error
    failure # The cloud cannot tell us more just now.
  end

  private
    # One whose id was never written down is known by its mark.
    def part_with(machine)
      terminate machine.reference? ? [ machine.reference ] : living_servers(machine).map(&:reference)
    end

    # What is not removed now, the sweep removes.
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

    # It is nobody's machine, also where a run at work is said to have asked for it: none of the logs are on it.
    def forgotten_machine(server)
      tags = server.tags
      Machine.new provider: self, state: "lost", name: tags[:name] || server.reference,
        role: tags[:role].presence_in(Machine::ROLES) || "all", tagged_run: tags[:run].to_i,
        reference: server.reference, host: server.public_address || server.private_address,
        instance_type: server.type, hourly_price: hourly_price(server.type),
        provisioned_at: server.started_at, expires_at: tags[:expires_at]
    end
end
