# A way to run commands on a machine and to move files, the same for this machine (Local) and for one reached by SSH
# (Ssh). A subclass says how a command is run: run(command, input:, output:, timeout:) -> Result
class Machine::Shell
  include Scripts

  Result = Struct.new(:output, :error, :status, keyword_init: true) do
    def success?
      status == 0
    end

    # What it said, or the end of what it complained of, for people
    def text(longest = ForeignText::LONGEST)
      ForeignText.fit output, longest
    end

    def complaint
      ForeignText.fit(error).strip
    end
  end

  attr_accessor :machine

  # Runs a command of the shell to its end. Its output is returned, or written to output as it comes.
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

  # Starts a program that outlives this session and whoever asked for it: see lib/machine/start.sh.
  def start(command, directory:, environment: {}, below: nil)
    lines = environment.map { |name, value| "#{name}=#{value}\n" }
    script! "start", directory, command, below: below, input: "#{lines.join}\n"
  end

  # Writes a file in one go, from a string or whatever else can be read and knows its size.
  def upload(content, path, mode: nil, timeout: 1800)
    script! "upload", path, content.try(:bytesize) || content.size, *mode&.to_s(8), input: content, timeout: timeout
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
      Bounded.new said, Machine::Limits::SAID
    end

    def timed_out(command, timeout)
      named = command.lines.first.strip.delete_prefix("# ").truncate(120)
      Machine::CommandFailed.new("#{named}: not done after #{timeout} s")
    end
end
