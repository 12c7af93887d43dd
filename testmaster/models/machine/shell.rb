# Runs commands on a machine and moves files, in the same way for this machine (Local) and for one reached by SSH (Ssh).
# A subclass implements run(command, input:, output:, timeout:) -> Result.
class Machine::Shell
  include Scripts

  Result = Struct.new(:output, :error, :status, keyword_init: true) do
    def success?
      status == 0
    end

    # Returns the output, or the end of the error output, for people.
    def text(longest = ForeignText::LONGEST)
      ForeignText.fit output, longest
    end

    def complaint
      ForeignText.fit(error).strip
    end
  end

  attr_accessor :machine

  # Runs a shell command to its end. Returns its output, or streams it to output.
  def execute(command, input: nil, output: nil, timeout: 60)
    said = output || String.new
    run(command, input: input.is_a?(String) ? StringIO.new(input) : input, output: output || bounded(said),
      timeout: timeout).tap do |result|
        result.output = output || said.force_encoding(Encoding::UTF_8)
        result.error.force_encoding Encoding::UTF_8
      end
  rescue Failure => failure
    raise failure.at(machine)
  end

  def execute!(command, **options)
    execute(command, **options).tap do |result|
      raise Machine::CommandFailed.with(command, result).at(machine) unless result.success?
    end
  end

  # Starts a program that outlives this session and this process; see lib/machine/start.sh.
  def start(command, directory:, environment: {}, below: nil)
    lines = environment.map { |name, value| "#{name}=#{value}\n" }
    script! "start", directory, command, below: below, input: "#{lines.join}\n"
  end

  # Writes a file atomically, from a string or any readable object that knows its size.
  def upload(content, path, mode: nil, timeout: 1800)
    script! "upload", path, content.try(:bytesize) || content.size, *mode&.to_s(8), input: content, timeout: timeout
  end

  # Streams a file from an offset on.
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
      Bounded.new said, Machine::Limits::SAID
    end

    def timed_out(command, timeout)
      named = command.lines.first.strip.delete_prefix("# ").truncate(120)
      Machine::CommandFailed.new("#{named}: not done after #{timeout} s")
    end
end
