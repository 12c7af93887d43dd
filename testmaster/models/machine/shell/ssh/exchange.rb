# One command on a connection: its input, its output, and its end.
class Machine::Shell::Ssh::Exchange
  CHUNK = 128 * 1024
  GRACE = 2 # seconds in which the far side ends by itself what took too long

  def initialize(session, command, input:, output:, timeout:)
    @command, @input, @output, @timeout = command, input, output, timeout
    @error = String.new
    @heard = Machine::Shell::Bounded.new(@error, Machine::Limits::SAID)
    @begun_at = now
    @channel = session.open_channel { |channel| begin_on channel }
    @channel.on_open_failed { |_, _, reason| raise Net::SSH::Disconnect, "the far side opens no channel: #{reason}" }
  end

  def over?
    !@channel.active?
  end

  # Returns nil if the command was ended at its time limit.
  def result
    unless out_of_time?
      unless @status || @signal
        raise Net::SSH::Disconnect, "the far side closed the connection before the command ended"
      end
      Machine::Shell::Result.new output: @output, error: @error, status: @status || 128 + Signal.list.fetch(@signal, 0)
    end
  end

  private
    def begin_on(channel)
      channel.on_data { |_, data| ours { @output << data } }
      channel.on_extended_data { |_, _, data| ours { @heard << data } }
      channel.on_request("exit-status") { |_, data| @status = data.read_long }
      channel.on_request("exit-signal") { |_, data| @signal = data.read_string }
      channel.on_close { channel.output.clear! } # otherwise net-ssh waits for room to send data that nobody reads
      channel.exec(limited_command) { |_, accepted| accepted ? channel.on_process { feed } : refused }
    end

    # The time limit also holds on the remote side, even if this process dies.
    def limited_command
      "exec timeout -s KILL #{@timeout} /bin/sh -c #{@command.shellescape}"
    end

    def feed
      if !@channel.eof? && !@channel.closing? && @channel.output.length < CHUNK
        if chunk = ours { @input&.read(CHUNK) }
          @channel.send_data chunk
        else
          @channel.eof!
        end
      end
    end

    # An error of local files is not an error of the connection.
    def ours
      yield
    rescue SystemCallError, IOError
      raise Machine::Shell::Ssh::Trouble::Ours
    end

    def refused
      raise Net::SSH::Disconnect, "the far side runs no commands"
    end

    def out_of_time?
      !over? || (killed? && now - @begun_at >= @timeout)
    end

    def killed?
      @signal == "KILL" || @status == 137
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
end
