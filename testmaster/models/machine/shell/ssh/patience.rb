# A time limit that several operations share.
class Machine::Shell::Ssh::Patience
  def initialize(seconds)
    @ends_at = now + seconds
  end

  def left
    [ @ends_at - now, 0 ].max
  end

  def over?
    left.zero?
  end

  private
    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
end
