# Connections that are kept after their command, for all threads of a process. It limits their number in total and to
# one machine.
class Machine::Shell::Ssh::Pool
  HEARTBEAT = 15 # seconds between pings

  Idle = Struct.new(:connection, :since)

  # kept is in seconds; an idle connection is closed after them.
  def initialize(limit: 64, limit_per_machine: 8, kept: 300)
    @limit, @limit_per_machine, @kept = limit, limit_per_machine, kept
    @idle, @lent = [], Hash.new(0)
    @monitor = Monitor.new
    @returned = @monitor.new_cond
  end

  # Lends a connection to the block: an idle one, or one that open creates. If all are in use, it waits.
  def lend(target, within:, open:)
    connection = claim(target, within)

    begin
      connection = open.call unless connection&.open?
      yield connection
    ensure
      check_in target, connection
    end
  end

  def close(target)
    idle = @monitor.synchronize do
      closing, @idle = @idle.partition { |idle| idle.connection.target == target }
      @returned.broadcast
      closing
    end
    idle.each { |idle| idle.connection.close }
  end

  # Counts connections, in use or idle.
  def size
    @monitor.synchronize { @idle.size + @lent.values.sum }
  end

  # Pings each idle connection, so that no router on the way drops it, and closes those that were idle for long.
  def beat
    resting = @monitor.synchronize { @idle.dup }

    resting.each do |idle|
      if withdraw(idle)
        now - idle.since > @kept ? idle.connection.close : idle.connection.ping
        check_in idle.connection.target, idle.connection, since: idle.since
      end
    end
  end

  private
    def claim(target, within)
      patience = Machine::Shell::Ssh::Patience.new(within)

      idle, crowded_out = @monitor.synchronize do
        until (idle = take_idle(target)) || room_for?(target)
          raise in_use(target) if patience.over?
          @returned.wait patience.left
        end
        @lent[target] += 1
        [ idle, (@idle.shift if size > @limit) ]
      end
      crowded_out&.connection&.close
      idle&.connection
    end

    def take_idle(target)
      @idle.rindex { |idle| idle.connection.target == target }&.then { |position| @idle.delete_at(position) }
    end

    def room_for?(target)
      @lent[target] < @limit_per_machine && (size < @limit || @idle.any?)
    end

    def withdraw(idle)
      @monitor.synchronize { @idle.delete(idle) && @lent[idle.connection.target] += 1 }
    end

    def check_in(target, connection, since: now)
      @monitor.synchronize do
        @lent[target] -= 1
        @lent.delete target if @lent[target].zero?
        @idle << Idle.new(connection, since) if connection&.open?
        @returned.broadcast
        keep_alive if @idle.any?
      end
    end

    def keep_alive
      @keeper = Thread.new { beat while rest_until_next_beat } unless @keeper&.alive?
    end

    # The thread ends with the last connection.
    def rest_until_next_beat
      sleep HEARTBEAT
      @monitor.synchronize { size.positive? || (@keeper = nil) }
    end

    def in_use(target)
      Machine::Unreachable.new("All connections to #{target.address} are in use (#{@limit_per_machine} to one " \
        "machine, #{@limit} in all)", advice: "Let fewer runs work at once, or try again later.")
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
end
