# Looks at machines side by side. One that does not answer soon is looked at on and on beside the others, which do not
# wait for it.
# The block must leave our own database alone, and hands a Failure back instead of raising it.
class TestRun::Phase::Running::Lookout
  def initialize
    @looks = {}
  end

  # { machine => what the block said }, of those that have answered by now
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
        Thread.current.report_on_exception = false # whoever looks gets it
        yield
      ensure
        ApplicationRecord.connection_handler.clear_active_connections!(:all)
      end
    end
end
