# Keeps the machines of an experiment for many runs: each run takes over those of the run before that fit it and have
# enough time left. Between two runs they are "kept", for ten minutes at most, and not once the experiment has stopped.
module Provider::Rented::Keeping
  KEPT_AT_MOST = 10.minutes

  # Keeps machines of an ended run on which only its jars are left.
  def keep(machines)
    emptied = side_by_side(machines.select(&:ready?)) { |machine| emptied? machine }.select { |_, emptied| emptied }
    emptied.keys.each { |machine| machine.update! state: "kept" }
  ensure
    machines.each(&:close)
  end

  # Returns whether the next run may still take it over.
  def waits_for_next_run?(machine)
    machine.kept? && machine.updated_at > KEPT_AT_MOST.ago && !!machine.test_run&.experiment&.running?
  end

  private
    def emptied?(machine)
      machine.shell.script! "remove_folder", machine.directory, "", "*.jar",
        timeout: Provider::Foldered::REMOVED_WITHIN
      true
    rescue Failure
      false
    end

    # Machines that this run cannot use are released.
    def take_over(machines)
      run = machines.first.test_run
      kept = run.experiment&.kept_machines.to_a
      return if kept.empty?

      running = servers_of(kept).select { |_, server| server.running? }
      machines.reject(&:reference?).each do |machine|
        fitting = kept.find { |other| running.key?(other.reference) && fits?(other, machine) } or next
        kept.delete fitting
        yield "#{machine.name} is #{machine.reference}, which run #{fitting.test_run_id} has kept", machine if
          hand_over(fitting, machine)
      end
      release_all kept
    end

    def fits?(kept, machine)
      run = machine.test_run
      kept.provider_id == id && kept.role == machine.role && kept.instance_type == type_of(machine) &&
        kept.expires_at > lifetime(run).from_now && kept.test_run.system.packages == run.system.packages
    end

    # Returns false if it is not kept any more. Its facts lose the kernel, so that they are read again.
    def hand_over(kept, machine)
      kept.with_lock do
        kept.kept? or return false

        machine.update! kept.slice(:reference, :host, :instance_type, :hourly_price, :expires_at, :private_address,
          :zone, :host_keys, :place, :rented_at, :rented_for, :database_port).merge(state: "provisioning",
            provisioned_at: Time.current, facts: kept.facts.except("kernel"), folder: kept.directory)
        kept.end_release
      end
      true
    end
end
