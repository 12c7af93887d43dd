# Calibrates the machines right before the load, when all JVMs are ready and idle: each machine by itself, then the
# network between a machine with brokers and each other one. What cannot be measured is a gap, and the run goes on.
module TestRun::Phase::Running::Calibrating
  TESTS_WITHIN = 60 # seconds for all network tests of a run
  NOBODY = "There is no broker on another machine of the run"

  private
    def calibrate
      return if machines.all?(&:calibration)

      found = on_machines(machines.to_a) { |machine| measured_or_gap { machine.measure_itself } }
      found.each_value { |figures| figures[:gaps] ||= [] }
      test_networks found if machines.many? && found.each_value.all? { |it| System.default.calibrates?(it[:gaps]) }
      machines.each { |machine| note_calibration machine, found.fetch(machine) }
    end

    def measured_or_gap
      yield
    rescue Failure => failure
      { gaps: [ failure.message.lines.first.to_s.strip.truncate(300) ] }
    end

    def test_networks(found)
      hubs = machines.select { |machine| machine.jvms.any?(&:broker?) }
      others = machines.to_a - hubs
      return machines.each { |machine| found[machine][:gaps] << NOBODY } if hubs.empty?

      deadline = monotonic_now + TESTS_WITHIN
      Array.new([ hubs.size, others.size ].max) { |n| [ hubs[n % hubs.size], others[n % others.size] ] if others.any? }
        .compact.each do |hub, other|
        check_cancellation
        figures = monotonic_now < deadline ? network_between(hub, other) :
          { gaps: [ "The network tests took longer than #{TESTS_WITHIN} s" ] }
        take_network found[hub], figures, other
        take_network found[other], figures, hub
      end
    end

    def network_between(hub, other)
      measured_or_gap do
        port, token = hub.free_ports.first, SecureRandom.hex(16)
        ends = on_machines([ hub, other ]) do |machine|
          measured_or_gap do
            machine == hub ? (hub.serve_network_test(port, token) && {}) : other.test_network(hub.address, port, token)
          end
        end
        ends[other][:gaps] ? { gaps: [ *ends[hub][:gaps], *ends[other][:gaps] ].first(1) } : ends[other]
      end
    end

    # A machine that was tested with several others keeps the fastest test.
    def take_network(figures, tested, peer)
      if tested[:gaps]
        figures[:gaps] |= [ "Network: #{tested[:gaps].first}" ]
      elsif tested[:network] > figures[:network].to_f
        figures.merge! tested, peer: peer.site
      end
    end

    def note_calibration(machine, figures)
      calibration = machine.create_calibration!(provider: provider, site: machine.site, **figures)
      if calibration.words.any?
        record_event :calibrated, "Calibrated #{machine.name}: #{calibration.words.join("; ")}", machine: machine
      end
      if calibration.gaps.any?
        record_event :warning, "#{machine.name} is not calibrated completely: #{calibration.gaps.join("; ")}",
          machine: machine
      end
    end
end
