# What was last seen of a JVM.
module Jvm::Observable
  FRESH = 4 # seconds; a JVM writes a line a second, and is looked at once a second
  MOMENTARY = %w[ state rate mean p99 heap queue clients ]

  # Takes in a glance at it; writes only what changed.
  def observe(glance)
    self.progress = glance.progress if glance.line
    self.last_line = glance.line if glance.line
    self.exit_code = glance.exit_code
    self.state = state_by(glance)
    self.exited_at ||= Time.current if over?
    save! if changed?
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

  # In words, with the end of what it said.
  def last_words
    ending = exit_code ? "ended with exit code #{exit_code}" :
      "is gone without an exit code (killed, or the machine was started anew)"
    [ "#{name} #{ending}", tail("logs/stderr.log") || tail(system.log_of(self)) ].compact.join(": ")
  end

  # What to do about its end.
  def advice
    system.advice_on(last_words) ||
      "Its logs are in the zip: stderr.log and #{File.basename(system.log_of(self))} tell more."
  end

  private
    def state_by(glance)
      case glance.state
      when "exited" then glance.exit_code == 0 ? "exited" : "failed"
      when "lost"   then "failed"
      when "none"   then state
      else system.state_of(glance.progress)
      end
    end

    def tail(file)
      machine.shell.execute("tail -n 5 #{"#{directory}/#{file}".shellescape}").output.to_s.scrub.strip.presence
    rescue Machine::Unreachable
      nil # It tells no more.
    end
end
