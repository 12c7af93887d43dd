# A result that a job creates from logs with the log analyzer and gnuplot. It is pending, processing, then completed,
# failed or cancelled. One job at a time creates it, however often it is requested. The job notices a cancellation
# within a second. The class that includes it has the columns state, step, attempts, error, cancelled_at and
# completed_at, a PerformJob, and implements `work`.
module Report
  extend ActiveSupport::Concern
  include Lockable

  PROGRAM = Rails.root.join("bin/log_analyzer")
  JAR = Rails.root.join("log_analyzer/target/log_analyzer.jar")
  LIMIT = 3600 # seconds
  ATTEMPTS = 3 # all but the last were cut off

  included do
    enum :state, %w[ pending processing completed failed cancelled ].index_by(&:itself)

    scope :at_work, -> { where state: %w[ pending processing ] }
    scope :abandoned, -> { at_work.where(updated_at: ...30.seconds.ago) }
  end

  # Saves it and enqueues its job. Returns false with errors if it is not valid.
  def request
    save.tap { |saved| perform_later if saved }
  end

  def perform_later
    self.class::PerformJob.perform_later self
  end

  # A request that arrives while the work is running makes it run once more.
  def perform
    had_lock = holding_lock do
      reload
      perform_now if pending? || processing?
      true
    end
    perform_later if had_lock && self.class.uncached { self.class.exists?(id: id, state: "pending") }
  end

  # Enqueues the job again if it was lost.
  def resume
    unless locked?
      touch
      perform_later
    end
  end

  def cancel
    return if ended?

    self.cancelled_at = Time.current
    save! validate: false # its sources need not be valid today
    holding_lock do
      reload
      assign_attributes state: "cancelled", completed_at: Time.current unless ended?
      save! validate: false
    end
  end

  def cancelling?
    cancelled_at? && !ended?
  end

  def ended?
    completed? || failed? || cancelled?
  end

  private
    def show_step(words)
      check_cancellation
      update! step: words
    end

    # Work that kills its worker is tried a limited number of times.
    def perform_now
      update! state: "processing", attempts: attempts + 1
      if attempts > ATTEMPTS
        raise Failure,
          "It was interrupted #{ATTEMPTS} times: see the worker's log, and the memory and the disk of this machine."
      end

      work
      conclude state: "completed", error: nil
    rescue Cancelled
      conclude state: "cancelled"
    rescue Failure => failure
      fail_with [ failure.message, failure.advice ].compact.join(" ")
    rescue *Failure::OUR_OWN_TROUBLE
      raise
    rescue StandardError => error
      Rails.error.report error, handled: true, context: { self.class.name.underscore => id }
      fail_with "#{error.class.name}: #{error.message.lines.first.to_s.strip}".truncate(1_000)
    end

    def fail_with(reason)
      conclude state: "failed", error: reason
    end

    def conclude(**outcome)
      reload.with_lock { update! completed_at: Time.current, **outcome unless pending? }
    rescue ActiveRecord::RecordNotFound
      nil # it was deleted meanwhile
    end

    def analyzer_command(arguments)
      raise Failure.new("The log analyzer has not been built.", advice: "Run bin/setup.") unless JAR.exist?

      "#{PROGRAM.to_s.shellescape} #{arguments}"
    end

    # theme is "light" or "dark".
    def draw(script, theme)
      run_program "cd #{script.dirname.to_s.shellescape} && gnuplot -e \"theme='#{theme}'\" #{script.basename}"
    end

    # Returns the exit code. The program runs in another thread, so that it can be ended when the result is not wanted
    # any more.
    def run_program(...)
      program = Thread.new { run_to_end(...) }
      program.report_on_exception = false # the waiting thread gets the exception
      check_cancellation until program.join(0.5)
      program.value
    ensure
      if program&.alive?
        program.raise Cancelled
        program.join(10)
      end
    end

    def check_cancellation
      make_sure_of_lock
      raise Cancelled unless self.class.uncached { still_wanted.exists? }
    end

    # Returns nil if the report was cancelled or deleted.
    def still_wanted
      self.class.where(id: id, cancelled_at: nil)
    end

    def run_to_end(command, accepting: [ 0 ])
      result = Machine::Shell::Local.new.execute(command, timeout: LIMIT)
      return result.status if result.status.in?(accepting)

      raise failure_of(result.error.strip.presence || result.output.strip.presence ||
        "#{command[/log_analyzer|gnuplot/]} ended with exit code #{result.status}")
    end

    def failure_of(words)
      if words =~ /(\w+): not found/
        Failure.new("There is no #{$1} on this machine.", advice: "Run bin/setup, or install #{$1}.")
      else
        Failure.new(words)
      end
    end
end
