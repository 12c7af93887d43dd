# Several instances on their way: asked about together, as EC2 counts questions.
class Provider::Ec2::Boots
  def initialize(provider, machines, &progress)
    @provider, @machines = provider, machines
    @boots = machines.index_with { |machine| Provider::Ec2::Boot.new(provider, machine, &progress) }
  end

  # Waits until every machine has got so far: to_run or to_be_ready.
  def until_each(step)
    waiting = @machines

    loop do
      instances = @provider.instances_of(waiting)
      waiting = waiting.reject { |machine| @boots[machine].public_send(step, instances[machine.reference]) }
      break if waiting.empty?

      late = waiting.map { |machine| @boots[machine] }.find(&:overdue?)
      raise late.too_late if late
      @machines.first.test_run.heed_cancellation
      sleep @provider.poll_interval
    end
  end
end
