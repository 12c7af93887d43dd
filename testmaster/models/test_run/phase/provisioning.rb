# Lays out machines and JVMs, has the provider make the machines ready, and reads the facts of each. It needs only the
# definition. Performed again, it keeps the layout and the known facts, and the provider does what is missing.
class TestRun::Phase::Provisioning < TestRun::Phase
  def perform
    test_run.lay_out if machines.none?
    provider.provision(machines.to_a) { |message, machine = nil| record_event :provisioning, message, machine: machine }
    machines.reset
    take_over_knowledge if provider.one_machine?
    get_to_know machines.reject { |machine| machine.facts.key?("kernel") }
    enter_next
  end

  private
    # Copies the facts of a machine that the run before it has read.
    def take_over_knowledge
      known = known_machine or return

      machines.reject { |machine| machine.facts.key?("kernel") || machine.host != known.host }.each do |machine|
        machine.update! facts: machine.facts.merge(known.facts), clock_offset: known.clock_offset
      end
    end

    def known_machine
      runs = test_run.experiment&.test_runs&.where(id: ...test_run.id)
      Machine.where(test_run: runs).where("facts ? 'kernel'").last if runs
    end

    def get_to_know(strangers)
      under_test, roles = system, strangers.index_with { |machine| machine.jvms.map(&:role).uniq }
      known = on_machines(strangers, roles) { |machine, needed| machine.knowledge under_test, needed }
      known.each do |machine, knowledge|
        machine.update! knowledge
        introduce machine
      end
    end

    def introduce(machine)
      record_event :provisioned, "#{machine.name} is ready: #{machine.description}", machine: machine
      if machine.clock_hopeless?
        raise Failure.new(machine.clock_in_words, machine: machine, advice: Machine::Knowable::CLOCK_ADVICE)
      end
      record_event :warning, machine.clock_in_words, machine: machine if machine.clock_off?
    end
end
