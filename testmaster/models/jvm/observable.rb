# Keeps the last observation of a JVM.
module Jvm::Observable
  FRESH = 4 # seconds; a JVM writes a line each second, and is observed each second
  MOMENTARY = %w[ state rate mean p99 heap queue clients ]

  # The response times of all phases, as of its last observation; see ResponseTimes.
  attr_reader :seen_times

  # Applies an observation and writes only what changed. Response times alone do not show that the JVM is still
  # reporting.
  def observe(glance)
    self.progress = glance.progress if glance.line
    self.last_line = ForeignText.fit(glance.line, Machine::Limits::LINE) if glance.line
    self.times = glance.times if glance.times
    @seen_times = glance.seen if glance.seen
    self.exit_code = glance.exit_code
    self.state = state_by(glance)
    self.exited_at ||= exit_by(glance) if over?
    keep unless changes_to_save.empty?
  end

  def answered?
    ready? || running?
  end

  # Returns whether its last line is recent. A new line is saved, so the time of the last change is that of the last
  # line.
  def fresh?
    !over? && updated_at > FRESH.seconds.ago
  end

  # Returns the figures of its last line, without momentary values once they are old.
  def figures
    fresh? ? progress : progress.except(*MOMENTARY)
  end

  # Returns whether it ended without a request to stop, or with an error.
  def died?
    failed? || (exited? && exit_code != 0)
  end

  # Returns its end in words with its last output: the cause is in the first line, if it named one.
  def last_words
    said = (tail("logs/stderr.log") || tail(system.log_of(self))).to_s
    cause = said.lines.drop_while { |line| line.match?(system.chatter) }.join unless signal
    [ "#{name} #{ending}", cause.presence ].compact.join(": ") + (cause.present? || said.empty? ? "" : "\n#{said}")
  end

  # Returns a text such as "was killed by signal 9".
  def ending
    case
    when exit_code.nil? then "is gone without an exit code (killed, or the machine was restarted)"
    when signal         then "was killed by signal #{signal}"
    else "ended with exit code #{exit_code}"
    end
  end

  # Returns a remedy for its end.
  def advice(words = last_words)
    system.advice_on(words) ||
      "Its logs are in the zip: stderr.log and #{File.basename(system.log_of(self))} show the cause."
  end

  private
    # Every second of the load, for each JVM: without the callbacks and the transaction of a save.
    def keep
      kept = changes_to_save.transform_values(&:last)
      kept["updated_at"] = Time.current unless kept.keys == %w[ times ]
      update_columns kept
    end

    # A shell adds the signal's number to 128.
    def signal
      exit_code - 128 if exit_code.to_i.between?(129, 128 + 64)
    end

    # The exit time lies within its run time, even if the machine's clock was set meanwhile.
    def exit_by(glance)
      (glance.age.to_i / 1000.0).seconds.ago.clamp(started_at..Time.current)
    end

    def state_by(glance)
      case glance.state
      when "exited" then glance.exit_code == 0 ? "exited" : "failed"
      when "lost"   then "failed"
      when "none"   then state
      else system.state_of(glance.progress)
      end
    end

    def tail(file)
      path = "#{directory}/#{file}".shellescape
      machine.shell.execute("tail -n 5 #{path} | tail -c #{Machine::Limits::LAST_WORDS}").text.strip.presence
    rescue Machine::Unreachable, Machine::CommandFailed
      nil # it reports no more
    end
end
