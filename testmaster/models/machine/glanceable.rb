# Observes the JVMs of a machine with one short script: whether they are running, their exit code, and their latest line
# of progress.
module Machine::Glanceable
  # age is in milliseconds since the exit.
  Glance = Struct.new(:state, :exit_code, :age, :line, :times, :seen, keyword_init: true) do
    def progress
      @progress ||= line && Machine::Progress.read(line) || {}
    end
  end

  JVM = /\A((?:broker|client)_\d{1,6}) (none|alive|lost|exited)(?: (\d{1,3}) (-?\d{1,15}))?\z/
  TIMES = %r{\Atimes ([A-Za-z\d+/=]+)\z}
  SEEN = %r{\Aseen ([A-Za-z\d+/=]+)\z}

  # A line of monitor.sh, or the one before it.
  Measured = Struct.new(:ms, :seconds, :figures)
  COLUMNS = %w[ ms cpu steal memory_used memory_total net_rx net_tx disk_read disk_written user system
    fixed_work ]
  NUMBER = /\d{1,18}(?:\.\d{1,6})?/
  # fixed_work, the last column, is NaN if a kernel does not provide it. Only the log analyzer reads it.
  LINE = /\Amachine (\d{13}(?:,#{NUMBER}){#{COLUMNS.size - 2}}),(?:#{NUMBER}|NaN)\z/
  LIES = "Another program than that of the run responded there: find out what was changed on that machine."
  LONGEST = 3 # seconds between two lines; beyond it a line is missing
  SHARES, FLOWS = %w[ user system steal ], %w[ net_rx net_tx disk_read disk_written ]

  # The machine's own measurements as of the last observation: shares and memory in per cent, rates in bytes per second.
  attr_reader :measured

  # Returns { "broker_0" => Glance, … } with each requested name.
  def glance(names, times = System.default.times)
    glances, @lines_of_machine, @seen = {}, [], nil
    script!("glance", times, *names, timeout: 20).output.each_line(chomp: true) { |line| read_glance line, glances }
    @measured = measured_in @lines_of_machine
    left_out = names - glances.keys
    raise Failure.new("#{name} did not report the state of #{left_out.first(3).to_sentence}", machine: self,
      advice: LIES) if left_out.any?
    glances.slice(*names)
  end

  # Returns the JVMs that have a process.
  def living(jvms)
    seen = glance(jvms.map(&:name))
    jvms.select { |jvm| seen[jvm.name]&.state == "alive" }
  end

  private
    # The machine may have written anything.
    def read_glance(line, glances)
      return if line.bytesize > Machine::Limits::TIMES + 10 || !line.valid_encoding?

      case line
      when JVM   then @seen = glances[$1] = Glance.new(state: $2, exit_code: $3&.to_i, age: $4&.to_i)
      when TIMES then @seen&.times = $1
      when SEEN  then @seen&.seen = $1
      when /\A\{/ then @seen.line = line if @seen && Machine::Progress.read(line)
      when LINE  then note_line $1
      end
    end

    def note_line(numbers)
      @lines_of_machine = [ @lines_of_machine.last, COLUMNS.zip(numbers.split(",").map(&:to_f)).to_h ].compact
    end

    def measured_in(lines)
      before, now = lines
      passed = now["ms"] - before["ms"] if now
      return unless passed&.positive?

      Measured.new now["ms"], [ passed / 1000, LONGEST ].min, {
        **SHARES.to_h { |name| [ name, (now[name] * 100).clamp(0, 100) ] },
        "memory" => ((now["memory_used"] / now["memory_total"] * 100).clamp(0, 100) if now["memory_total"].positive?),
        **FLOWS.to_h { |name| [ name, now[name] / passed * 1000 ] } }
    end
end
