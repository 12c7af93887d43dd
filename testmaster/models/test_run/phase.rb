# One phase in the life of a run: a class in phase/ with a `perform` that does its work and enters the next phase.
# It may be performed again, by a worker that knows nothing of the one before: it looks at what is there and does
# what is missing.
class TestRun::Phase
  include SideBySide

  # In their order. Another phase is a file in phase/ and a word here.
  NAMES = %w[ queued building provisioning deploying running collecting ]

  ADVICE_ON_MISTAKES = "This is a mistake of the Testmaster itself; its log has the details."

  attr_reader :test_run
  delegate :all_jvms, :brokers, :clients, :events, :machines, :provider, :record_event, :run_database, :spool, :system,
    to: :test_run

  # The phase that a run is in
  def self.of(test_run)
    const_get(test_run.state.camelize).new(test_run)
  end

  def initialize(test_run)
    @test_run = test_run
  end

  # Performs it, whatever comes of it. The way out of every phase is collecting.
  def work
    heed_cancellation
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

    # To be called often: raises Cancelled once somebody has wished so, and Lockable::Lost where somebody
    # else may be at work.
    def heed_cancellation
      test_run.heed_cancellation
    end

    # Asks every few moments until the block says yes; false where it has not said so in time.
    def await(within:, every: 0.2)
      deadline = monotonic_now + within

      until yield
        heed_cancellation
        return false if monotonic_now > deadline
        sleep every
      end
      true
    end

    # What the block returns; nil, and an entry in the timeline, where it fails.
    def attempt(what)
      test_run.heed_lost_lock
      yield
    rescue Failure, SystemCallError => failure
      record_event :missing, "Could not #{what}: #{failure.message}"
      nil
    end

    # { machine => value of the block }. Blocks run beside us and must leave our own database alone, so each gets its
    # machine, whose shell is made before, and what was looked up for it.
    def on_machines(machines, given = nil)
      machines.each(&:shell)
      side_by_side(machines) { |machine| given ? yield(machine, given.fetch(machine)) : yield(machine) }
    end

    # For one thing that takes long; the block is run beside us, and must leave our own database alone.
    def attended
      side_by_side([ self ]) { yield }.fetch(self)
    end

    # While machines work, whoever waits for them shows life.
    def meanwhile
      test_run.show_life
    end

    def monotonic_now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
end
