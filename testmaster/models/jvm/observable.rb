# What was last seen of a JVM.
module Jvm::Observable
  FRESH = 4 # seconds; a JVM writes a line a second, and is looked at once a second
  MOMENTARY = %w[ state rate mean p99 heap queue clients ]

  # The response times that it has seen in all phases, as its last glance told them: see ResponseTimes
  attr_reader :seen_times

  # Takes in a glance at it; writes only what changed. Response times alone are no sign that it still says something.
  def observe(glance)
    self.progress = glance.progress if glance.line
    self.last_line = ForeignText.fit(glance.line, Machine::Limits::LINE) if glance.line
    self.times = glance.times if glance.times
    @seen_times = glance.seen if glance.seen
    self.exit_code = glance.exit_code
    self.state = state_by(glance)
    self.exited_at ||= exit_by(glance) if over?
    save! touch: changed != %w[ times ] if changed?
  end

  def answered?
    ready? || running?
  end

  # Whether its last line tells of now. A new line is saved, so it was last changed when it last said something.
  def fresh?
    !over? && updated_at > FRESH.seconds.ago
  end

  # What its last line tells, without what was true of that moment only where the moment has passed.
  def figures
    fresh? ? progress : progress.except(*MOMENTARY)
  end

  # Ended without having been told to, or not well.
  def died?
    failed? || (exited? && exit_code != 0)
  end

  # In words, with the end of what it said: the cause in the first line, where it named one.
  def last_words
    said = (tail("logs/stderr.log") || tail(system.log_of(self))).to_s
    cause = said.lines.drop_while { |line| line.match?(system.chatter) }.join unless signal
    [ "#{name} #{ending}", cause.presence ].compact.join(": ") + (cause.present? || said.empty? ? "" : "\n#{said}")
  end

  # "was killed by signal 9"
  def ending
    case
    when exit_code.nil? then "is gone without an exit code (killed, or the machine was started anew)"
    when signal         then "was killed by signal #{signal}"
    else "ended with exit code #{exit_code}"
    end
  end

  # What to do about its end.
  def advice(words = last_words)
    system.advice_on(words) ||
      "Its logs are in the zip: stderr.log and #{File.basename(system.log_of(self))} tell more."
  end

  private
    # A shell adds it to 128.
    def signal
      exit_code - 128 if exit_code.to_i.between?(129, 128 + 64)
    end

    # While it ran, however the machine's clock was set meanwhile
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
      nil # It tells no more.
    end
end
