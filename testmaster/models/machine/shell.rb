# A way to run commands on a machine and to move files, the same for this machine (Local) and for one reached by SSH (Ssh).
# A subclass says how a command is run: run(command, input:, output:, timeout:) -> Result
class Machine::Shell
  Result = Struct.new(:output, :error, :status, keyword_init: true) do
    def success?
      status == 0
    end
  end

  # Directory and pid file belong to the command from its first moment on: started again while it runs or after it ran, nothing happens.
  # The environment comes by standard input, so that no list of processes shows it, and ends with an empty line: input that is
  # cut off starts nothing.
  START = <<~SH
    cd %{directory} || exit 1
    exec 9>.starting && flock 9
    if [ -e pid ] || [ -e exit_code ]; then exit 0; fi
    while IFS= read -r line || exit 1; do [ -n "$line" ] || break; export "$line"; done
    setsid sh -c %{command} </dev/null >/dev/null 2>&1 9>&- &
    for _ in $(seq 3000); do
      if [ -e pid ]; then exit 0; fi
      sleep 0.01
    done
    echo "no pid file after 30 s" >&2
    exit 1
  SH
  KEEPING_TRACK = "mkdir -p logs; echo $$ >keeper; %{command} >logs/stdout.log 2>logs/stderr.log & echo $! >pid.new; mv pid.new pid; wait $!; echo $? >exit_code.new; mv exit_code.new exit_code"

  SAID_AT_MOST = 32.megabytes # by a command whose output is held in memory

  attr_accessor :machine

  # Runs a command of the shell to its end. Its output is returned, or written to output as it comes.
  def execute(command, input: nil, output: nil, timeout: 60)
    said = output || String.new
    run(command, input: input.is_a?(String) ? StringIO.new(input) : input, output: output || bounded(said), timeout: timeout).tap { |result| result.output = said }
  rescue Failure => failure
    raise failure.at(machine)
  end

  def execute!(command, **options)
    execute(command, **options).tap do |result|
      raise Machine::CommandFailed.with(command, result).at(machine) unless result.success?
    end
  end

  # Starts a program that outlives this session and whoever asked for it. The folder gets pid, logs/stdout.log, logs/stderr.log and at the end exit_code.
  def start(command, directory:, environment: {})
    tracked = format(KEEPING_TRACK, command: command)
    execute! format(START, directory: directory.to_s.shellescape, command: tracked.shellescape), input: environment.map { |name, value| "#{name}=#{value}\n" }.join + "\n"
  end

  # Writes a file in one go, from a string or whatever else can be read and knows its size. Nobody sees half of it: what is cut
  # off looks to the far side as if it were all, and only its size tells.
  def upload(content, path, mode: nil, timeout: 1800)
    path = path.to_s.shellescape
    part = "#{path}.#{SecureRandom.hex(4)}.part"
    size = content.try(:bytesize) || content.size
    execute! <<~SH, input: content, timeout: timeout
      cat >#{part} && [ "$(wc -c <#{part})" -eq #{size} ]#{" && chmod #{mode.to_s(8)} #{part}" if mode} && mv #{part} #{path} || { code=$?; rm -f #{part}; exit $code; }
    SH
  end

  # Streams a file, or what is left of it from an offset on.
  def download(path, output, offset: 0, timeout: 1800)
    execute! "tail -c +#{offset + 1} #{path.to_s.shellescape}", output: output, timeout: timeout
  end

  def alive?
    execute("true", timeout: 10).success?
  rescue Machine::Unreachable, Machine::Refused, Machine::CommandFailed
    false
  end

  def close
  end

  private
    def bounded(said)
      Bounded.new said, SAID_AT_MOST
    end

    def timed_out(command, timeout)
      Machine::CommandFailed.new("#{command.lines.first.strip.truncate(120)}: not done after #{timeout} s")
    end
end
