# Follows several machines with common requests, as clouds limit the number of requests.
class Provider::Rented::Boots
  def initialize(provider, machines, &progress)
    @provider, @machines = provider, machines
    @boots = machines.index_with { |machine| Provider::Rented::Boot.new(provider, machine, &progress) }
  end

  def until_all_run
    until_all(:running?) { |boot, server| boot.follow server }
  end

  def until_all_are_ready
    until_all(:ready?) { |boot, server| boot.prepare server }
  end

  private
    def until_all(state)
      waiting = @machines

      loop do
        servers = @provider.servers_of(waiting)
        waiting.each { |machine| yield @boots[machine], servers[machine.reference] }
        waiting = waiting.reject { |machine| @boots[machine].public_send(state) }
        break if waiting.empty?

        late = waiting.map { |machine| @boots[machine] }.find(&:overdue?)
        raise late.too_late if late
        @machines.first.test_run.check_cancellation
        sleep @provider.poll_interval
      end
    end
end
