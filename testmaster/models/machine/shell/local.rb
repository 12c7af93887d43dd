# Runs commands on this machine.
class Machine::Shell::Local < Machine::Shell
  CHUNK = 64 * 1024

  # Reads directly, without a process for each of the many files of a run.
  def download(path, output, offset: 0, **)
    File.open(path, File::RDONLY | File::NONBLOCK | File::NOFOLLOW | File::BINARY) do |file|
      raise Machine::CommandFailed.new("#{path} is no regular file").at(machine) unless file.stat.file?
      file.seek offset
      while chunk = file.read(CHUNK)
        output << chunk
      end
    end
  rescue SystemCallError => error
    raise Machine::CommandFailed.new("#{path} cannot be read: #{error.message}").at(machine)
  end

  private
    def run(command, input:, output:, timeout:)
      error = String.new
      theirs, ours = pipes
      pid = Process.spawn(OwnEnvironment.handed_on, "/bin/sh", "-c", command, in: theirs[:in], out: theirs[:out],
        err: theirs[:err], pgroup: true, unsetenv_others: true)
      theirs.each_value(&:close)
      status = exchange(pid, ours, { ours[:out] => output, ours[:err] => bounded(error) }, input, command, timeout)
      Result.new output: output, error: error, status: status.exitstatus || 128 + status.termsig
    ensure
      ours&.each_value(&:close)
    end

    def pipes
      input, output, error = IO.pipe, IO.pipe, IO.pipe
      [ { in: input.first, out: output.last, err: error.last },
        { in: input.last, out: output.first, err: error.first } ]
    end

    # Returns the exit status. A command that sends endlessly or is silent is ended at its time limit.
    def exchange(pid, ours, sinks, input, command, timeout)
      ending, writer = Process.detach(pid), Thread.new { feed ours[:in], input }
      deadline = now + timeout

      until sinks.empty?
        readable, = now < deadline ? IO.select(sinks.keys, nil, nil, deadline - now) : nil
        raise timed_out(command, timeout) unless readable
        readable.each { |pipe| sinks.delete pipe unless pump(pipe, sinks.fetch(pipe)) }
      end
      ending.join([ deadline - now, 0 ].max) or raise timed_out(command, timeout)
      ending.value
    rescue Exception
      end_all pid
      ending&.join
      raise
    ensure
      writer&.kill&.join
    end

    def end_all(pid)
      Process.kill :KILL, -pid
    rescue Errno::ESRCH
      nil # all have ended by themselves
    end

    def feed(pipe, input)
      IO.copy_stream input, pipe if input
    rescue Errno::EPIPE
      # The command does not read the rest; its exit code shows whether it succeeded.
    ensure
      pipe.close
    end

    def pump(pipe, sink)
      sink << pipe.readpartial(CHUNK)
    rescue EOFError
      nil
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
end
