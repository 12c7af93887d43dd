# Several instances on their way: asked about together, as EC2 counts questions.
class Provider::Ec2::Boots
  def initialize(provider, machines, &progress)
    @provider, @machines = provider, machines
    @boots = machines.index_with { |machine| Provider::Ec2::Boot.new(provider, machine, &progress) }
  end

  # Waits until every machine is as asked for, running? or ready?.
  def until_each(question)
    waiting = @machines

    loop do
      instances = @provider.instances_of(waiting)
      waiting = waiting.reject { |machine| @boots[machine].public_send(question, instances[machine.reference]) }
      break if waiting.empty?

      late = waiting.map { |machine| @boots[machine] }.find(&:overdue?)
      raise late.too_late if late
      heed_cancellation
      sleep @provider.poll_interval
    end
  end

  private
    def heed_cancellation
      raise TestRun::Cancelled if TestRun.uncached { TestRun.where(id: @machines.first.test_run_id).pick(:cancelled_at) }
    end
end
