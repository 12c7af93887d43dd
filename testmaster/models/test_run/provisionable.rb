module TestRun::Provisionable
  private
    def provision
      lay_out if machines.none?
      provider.provision(machines.to_a) { |message, machine = nil| record_event :provisioning, message, machine: machine }
      machines.reset
      get_to_know machines.reject { |machine| machine.facts.key?("kernel") }
      enter "building"
    end

    def get_to_know(strangers)
      strangers.each(&:shell)
      side_by_side(strangers, &:knowledge).each do |machine, knowledge|
        machine.update! knowledge
        introduce machine
      end
    end

    def introduce(machine)
      record_event :provisioned, "#{machine.name} is ready: #{machine.description}", machine: machine
      raise Failure.new(machine.clock_in_words, machine: machine, advice: Machine::Knowable::CLOCK_ADVICE) if machine.clock_hopeless?
      record_event :warning, machine.clock_in_words, machine: machine if machine.clock_off?
    end

    def release_machines
      provider.give_back(machines.reject(&:released?)).each do |machine, failure|
        record_event :warning, "#{machine.name} is not released yet: #{failure.message}", machine: machine
      end
    end
end
