# One phase in the life of a run: a class in phase/ whose `perform` does its work and enters the next phase. Another
# worker may perform it again: it checks what exists and does what is missing.
class TestRun::Phase
  include SideBySide

  # Phases are in their order. A new phase needs a file in phase/ and a word here.
  NAMES = %w[ queued building provisioning deploying running collecting ]

  ADVICE_ON_MISTAKES = "This is a mistake of the Testmaster itself; its log has the details."

  attr_reader :test_run
  delegate :all_jvms, :brokers, :clients, :events, :machines, :provider, :record_event, :run_database, :spool, :system,
    to: :test_run

  # Returns the phase of a run.
  def self.of(test_run)
    const_get(test_run.state.camelize).new(test_run)
  end

  def initialize(test_run)
    @test_run = test_run
  end

  # Performs the phase and handles its errors. Every phase leads to collecting.
  def work
    check_cancellation
    perform
  rescue Cancelled
    leave
  rescue Failure => failure
    fail_with provider.explain(failure)
  rescue *Failure::OUR_OWN_TROUBLE
    raise
  rescue StandardError => error
    Rails.error.report error, handled: true, context: { test_run: test_run.id, phase: test_run.state }
    fail_with Failure.new("#{error.class.name}: #{error.message.lines.first.to_s.strip}", advice: ADVICE_ON_MISTAKES)
  end

  private
    def enter_next
      test_run.enter NAMES[NAMES.index(test_run.state) + 1]
    end

    def leave
      test_run.enter "collecting"
    end

    def fail_with(failure)
      test_run.note_failure failure
      leave
    end

    # Phases call this often. It raises Cancelled once a user has cancelled the run, and Lockable::Lost if another
    # worker may be active.
    def check_cancellation
      test_run.check_cancellation
    end

    # Calls the block at intervals until it returns true; returns false at the time limit.
    def await(within:, every: 0.2)
      deadline = monotonic_now + within

      until yield
        check_cancellation
        return false if monotonic_now > deadline
        sleep every
      end
      true
    end

    # Returns the value of the block. If the block fails, it returns nil and adds an event to the timeline.
    def attempt(what)
      test_run.check_lock
      yield
    rescue Failure, SystemCallError => failure
      record_event :missing, "Could not #{what}: #{failure.message}"
      nil
    end

    # Returns { machine => value of the block }. Blocks run in threads and must not use the Testmaster's database. So
    # each gets its machine, whose shell is created before, and the data that was loaded for it.
    def on_machines(machines, given = nil)
      machines.each(&:shell)
      side_by_side(machines) { |machine| given ? yield(machine, given.fetch(machine)) : yield(machine) }
    end

    # Runs one long block in a thread; the block must not use the Testmaster's database.
    def attended
      side_by_side([ self ]) { yield }.fetch(self)
    end

    # The waiting thread signals that the job is alive.
    def meanwhile
      test_run.show_life
    end

    def monotonic_now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
end
