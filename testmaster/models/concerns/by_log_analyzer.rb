# What a job makes of logs with the log analyzer and gnuplot: done once, by one at a time, however often it is asked
# for. Whoever includes it has the columns state, attempts, error and completed_at, a PerformJob, and does it in `work`.
module ByLogAnalyzer
  extend ActiveSupport::Concern
  include Lockable

  PROGRAM = Rails.root.join("bin/log_analyzer")
  JAR = Rails.root.join("log_analyzer/target/log_analyzer.jar")
  LIMIT = 3600 # seconds
  ATTEMPTS = 3 # of which all but the last were cut off

  included do
    scope :abandoned, -> { where(state: %w[ pending processing ]).where(updated_at: ...30.seconds.ago) }
  end

  def perform_later
    self.class::PerformJob.perform_later self
  end

  def perform
    holding_lock do
      reload
      perform_now if pending? || processing?
    end
  end

  # Asked for again where nobody is at it, as its job was lost.
  def resume
    unless locked?
      touch
      perform_later
    end
  end

  private
    # What kills whoever does it is not tried for ever.
    def perform_now
      update! state: "processing", attempts: attempts + 1
      if attempts > ATTEMPTS
        raise Failure,
          "It was cut off #{ATTEMPTS} times: see the log of the worker, and the memory and the disk of this machine."
      end

      work
      complete
    rescue TestRun::Cancelled
      update! state: "cancelled", completed_at: Time.current
    rescue Failure => failure
      fail_with [ failure.message, failure.advice ].compact.join(" ")
    rescue *TestRun::Phase::OUR_OWN_TROUBLE
      raise
    rescue StandardError => error
      Rails.error.report error, handled: true, context: { self.class.name.underscore => id }
      fail_with "#{error.class.name}: #{error.message.lines.first.to_s.strip}".truncate(1_000)
    end

    def complete
      update! state: "completed", error: nil, completed_at: Time.current
    end

    def fail_with(reason)
      update! state: "failed", error: reason, completed_at: Time.current
    end

    def analyzer_command(arguments)
      raise Failure.new("The log analyzer has not been built.", advice: "Run bin/setup.") unless JAR.exist?

      "#{PROGRAM.to_s.shellescape} #{arguments}"
    end

    # A picture for light pages, or for dark ones
    def draw(script, theme)
      run_program "cd #{script.dirname.to_s.shellescape} && gnuplot -e \"theme='#{theme}'\" #{script.basename}"
    end

    # The exit code
    def run_program(command, accepting: [ 0 ])
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
