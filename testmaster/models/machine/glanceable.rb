# How the JVMs of a machine are, by one short script: whether they live, their exit code, their latest line of progress.
module Machine::Glanceable
  # age: milliseconds since it exited
  Glance = Struct.new(:state, :exit_code, :age, :line, :times, keyword_init: true) do
    def progress
      @progress ||= line ? JSON.parse(line) : {}
    end
  end

  # A line of monitor.sh, and the one before it
  Measured = Struct.new(:ms, :seconds, :figures)
  COLUMNS = %w[ ms cpu steal memory_used memory_total net_rx net_tx disk_read disk_written user system
    fixed_work ]
  NUMBER = /\d{1,18}(?:\.\d{1,6})?/
  # fixed_work, the last, is NaN where a kernel does not tell it, and is looked at in the logs only
  LINE = /\Amachine (\d{13}(?:,#{NUMBER}){#{COLUMNS.size - 2}}),(?:#{NUMBER}|NaN)\z/
  LONGEST = 3 # seconds between two lines, or something is missing between them
  SHARES, FLOWS = %w[ user system steal ], %w[ net_rx net_tx disk_read disk_written ]

  # What the machine had measured of itself when it was last looked at: shares and memory in per cent, bytes a second
  attr_reader :measured

  # { "broker_0" => Glance, … }
  def glance(names, times = System.default.times)
    @lines_of_machine = []
    output = script!("glance", times, *names, timeout: 20).output
    output.scrub.lines(chomp: true).each_with_object({}) { |line, glances| read_glance line, glances }
      .tap { @measured = measured_in @lines_of_machine.last(2) }
  end

  # Those of them that have a process.
  def living(jvms)
    seen = glance(jvms.map(&:name))
    jvms.select { |jvm| seen[jvm.name]&.state == "alive" }
  end

  private
    def read_glance(line, glances)
      case line
      when /\A((?:broker|client)_\d+) (none|alive|lost|exited)(?: (\d+) (-?\d{1,15}))?\z/ then glances[$1] =
        Glance.new(state: $2, exit_code: $3&.to_i, age: $4&.to_i)
      when %r{\Atimes ([\w+/=]+)\z} then glances.values.last.times = $1
      when /\A\{.*\}\z/ then glances.values.last.line = line if json?(line)
      when LINE then @lines_of_machine << COLUMNS.zip($1.split(",").map(&:to_f)).to_h
      end
    end

    # What a machine has written may be anything.
    def json?(line)
      JSON.parse(line) && true
    rescue JSON::ParserError
      false
    end

    def measured_in(lines)
      before, now = lines
      passed = now["ms"] - before["ms"] if now
      return unless passed&.positive?

      Measured.new now["ms"], [ passed / 1000, LONGEST ].min, {
        **SHARES.to_h { |name| [ name, (now[name] * 100).clamp(0, 100) ] },
        "memory" => (now["memory_used"] / now["memory_total"] * 100 if now["memory_total"].positive?),
        **FLOWS.to_h { |name| [ name, now[name] / passed * 1000 ] } }
    end
end
