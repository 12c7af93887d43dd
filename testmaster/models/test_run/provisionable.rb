module TestRun::Provisionable
  private
    def provision
      lay_out if machines.none?
      provider.provision(machines.to_a) { |message, machine = nil| record_event :provisioning, message, machine: machine }
      machines.reset
      machines.each { |machine| get_to_know machine unless machine.facts.key?("kernel") }
      enter "building"
    end

    def get_to_know(machine)
      machine.get_to_know
      record_event :provisioned, "#{machine.name} is ready: #{machine.description}", machine: machine
      if machine.clock_offset.abs > 50
        record_event :warning, "The clock of #{machine.name} is #{machine.clock_offset.abs.round} ms #{machine.clock_offset.positive? ? "ahead of" : "behind"} ours", machine: machine
      end
    end

    def release_machines
      machines.reject(&:released?).each do |machine|
        machine.release
      rescue Failure => failure
        record_event :warning, "#{machine.name} is not released yet: #{failure.message}", machine: machine
      end
    end
end
