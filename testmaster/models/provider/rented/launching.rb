# Starts all machines of a run in one place: the first that has capacity for all of them.
module Provider::Rented::Launching
  TO_PREPARE_AND_COLLECT = 45 * 60 # seconds

  def provision(machines, &progress)
    take_over machines, &progress
    launch machines, &progress
    boot(machines, &progress).until_all_are_ready
    withdraw_access rented_for(machines)
  end

  private
    # All checks are made before the first machine costs money.
    def launch(machines, &progress)
      places = places_for(machines)
      look_up machines.reject(&:reference?).map { |machine| type_of(machine) }.uniq

      places.each_with_index do |place, index|
        return start(machines, place, &progress)
      rescue Provider::Rented::Error => error
        raise unless error.no_room?
        following = places[index + 1] or raise nowhere(places, error)
        leave machines
        progress.call "#{place.name} does not take the machines: #{error.message}. Trying #{following.name}."
      end
    end

    # The place of an interrupted attempt comes first.
    def places_for(machines)
      begun = machines.filter_map(&:place).first
      places.partition { |place| place.reference == begun }.flatten(1)
    end

    def start(machines, place, &progress)
      run, missing, rented_for = machines.first.test_run, machines.reject(&:reference?), rented_for(machines)
      access = grant_access(rented_for, place) if missing.any?

      missing.each do |machine|
        run.check_cancellation
        run.check_limits
        reserve machine, place, rented_for
        rent machine, place, access, &progress
      end
      boot(machines, &progress).until_all_run
    end

    def rent(machine, place, access)
      server = order(machine, place, access)
      machine.update! reference: server.reference
      where = "#{machine.instance_type} in #{place.name} from #{server.image}"
      yield "#{machine.name} is #{machine.reference}: #{where}", machine
    end

    # The machine is stored before it is ordered, so that it is never forgotten. A repeated order has the same words.
    def reserve(machine, place, rented_for)
      type = type_of(machine)
      machine.update! state: "provisioning", instance_type: type, hourly_price: hourly_price(type),
        place: place.reference, rented_for: rented_for,
        provisioned_at: machine.provisioned_at || Time.current,
        expires_at: machine.expires_at || life_with_next_runs(machine.test_run).from_now.round
    end

    # Machines that join those of the run before use the access that was created for it.
    def rented_for(machines)
      machines.map(&:rented_for).min
    end

    # The token is unique for each attempt at each machine: a cloud starts one machine for repeated orders with it.
    def token(machine)
      "#{owner}-#{machine.id}-#{machine.attempt}"
    end

    def type_of(machine)
      machine.instance_type.presence || default_type(machine.role)
    end

    # A machine ends itself when its run must be over. A run that needs longer than the provider allows is not launched.
    def lifetime(run)
      (boot_timeout + run.duration + run.timeout + TO_PREPARE_AND_COLLECT).seconds
    end

    # A machine that may be kept for the next runs of an experiment ends itself when all of them must be over, or at its
    # limit of hours.
    def life_with_next_runs(run)
      further = run.machines_for_next_run? ? run.experiment.time_left : 0
      [ lifetime(run), [ lifetime(run) + further, limit_hours.hours ].min ].max
    end

    def leave(machines)
      terminate machines.filter_map(&:reference)
      machines.each do |machine|
        machine.update! reference: nil, host: nil, place: nil, rented_at: nil, rented_for: nil,
          attempt: machine.attempt + 1
      end
    end

    def nowhere(places, error)
      return error if places.one?
      failure "None of #{places.map(&:name).to_sentence} takes the machines: #{error.message}",
        code: error.code, advice: error.advice
    end

    def boot(machines, &progress)
      Provider::Rented::Boots.new self, machines, &progress
    end
end
