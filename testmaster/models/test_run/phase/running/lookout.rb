# Observes machines in parallel. A slow machine is observed in its own thread, and the others do not wait for it. The
# block must not use the Testmaster's database, and returns a Failure instead of raising it.
class TestRun::Phase::Running::Lookout
  def initialize
    @looks = {}
  end

  # Returns { machine => value of the block } of the machines that have responded by now.
  def look(machines, within:)
    patience = Machine::Shell::Ssh::Patience.new(within)
    machines.each { |machine| @looks[machine] ||= beside { yield machine } }
    answered = machines.select { |machine| @looks[machine].join(patience.left) }
    answered.index_with { |machine| @looks.delete(machine).value }
  end

  def close
    @looks.each_value(&:kill)
    @looks.clear
  end

  private
    def beside
      Thread.new do
        Thread.current.report_on_exception = false # the reader of the value gets the exception
        yield
      ensure
        ApplicationRecord.connection_handler.clear_active_connections!(:all)
      end
    end
end
