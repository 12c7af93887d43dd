# Observes the JVMs of a machine with one short script: whether they are running, their exit code, and their latest line
# of progress.
module Machine::Glanceable
  # age is in milliseconds since the exit.
  Glance = Struct.new(:state, :exit_code, :age, :line, :times, :seen, keyword_init: true) do
    def progress
      @progress ||= line && Machine::Progress.read(line) || {}
    end

    # Keeps a line of progress; other lines are passed over.
    def take(line)
      read = Machine::Progress.read(line) or return
      self.line, @progress = line, read
    end
  end

  STATE = /\A((?:broker|client)_\d{1,6}) (none|alive|lost|exited)(?: (\d{1,3}) (-?\d{1,15}))?\z/
  HEADER = %r{\A==> ([\w.-]{1,40})/(\S{1,200}) <==\z} # of the end of a file: its folder and its name there
  HISTOGRAM = %r{\A[A-Za-z\d+/=]+\z}
  SEEN = %r{\Aseen ([A-Za-z\d+/=]+)\z}
  MONITOR, OUTPUT = "monitor", "logs/stdout.log"

  # A line of monitor.sh, or the one before it.
  Measured = Struct.new(:ms, :seconds, :figures)
  COLUMNS = %w[ ms cpu steal memory_used memory_total net_rx net_tx disk_read disk_written user system
    fixed_work ]
  NUMBER = /\d{1,18}(?:\.\d{1,6})?/
  # fixed_work, the last column, is NaN if a kernel does not provide it. Only the log analyzer reads it.
  LINE = /\A(\d{13}(?:,#{NUMBER}){#{COLUMNS.size - 2}}),(?:#{NUMBER}|NaN)\z/
  LIES = "Another program than that of the run responded there: find out what was changed on that machine."
  LONGEST = 3 # seconds between two lines; beyond it a line is missing
  SHARES, FLOWS = %w[ user system steal ], %w[ net_rx net_tx disk_read disk_written ]

  # The machine's own measurements as of the last observation: shares and memory in per cent, rates in bytes per second.
  attr_reader :measured

  # Returns { "broker_0" => Glance, … } with each requested name.
  def glance(names, times = System.default.times)
    glances, @lines_of_machine, folder, file = {}, [], nil, nil
    script!("glance", times, *names, timeout: 20).output.each_line(chomp: true) do |line|
      next if line.bytesize > Machine::Limits::TIMES || !line.valid_encoding? # the machine may have written anything

      case
      when line.match(HEADER) then folder, file = $1, $2
      when folder.nil?        then read_state line, glances
      when folder == MONITOR  then read_line_of_machine line
      else read_file line, file, glances[folder]
      end
    end
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
    def read_state(line, glances)
      glances[$1] = Glance.new(state: $2, exit_code: $3&.to_i, age: $4&.to_i) if line.match(STATE)
    end

    def read_file(line, file, glance)
      case
      when glance.nil?           then nil
      when file == OUTPUT        then glance.take line
      when line.match(HISTOGRAM) then glance.times = line
      when line.match(SEEN)      then glance.seen = $1
      end
    end

    def read_line_of_machine(line)
      return unless line.match(LINE)

      @lines_of_machine = [ @lines_of_machine.last, COLUMNS.zip($1.split(",").map(&:to_f)).to_h ].compact
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
