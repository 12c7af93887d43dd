# How the JVMs of a machine are, by one short script: whether they live, their exit code, their latest line of progress.
module Machine::Glanceable
  Glance = Struct.new(:state, :exit_code, :line, :times, keyword_init: true) do
    def progress
      @progress ||= line ? JSON.parse(line) : {}
    end
  end

  # { "broker_0" => Glance, … }
  def glance(names, times = System.default.times)
    output = script!("glance", times, *names, timeout: 20).output
    output.scrub.lines(chomp: true).each_with_object({}) { |line, glances| read_glance line, glances }
  end

  # Those of them that have a process.
  def living(jvms)
    seen = glance(jvms.map(&:name))
    jvms.select { |jvm| seen[jvm.name]&.state == "alive" }
  end

  private
    def read_glance(line, glances)
      case line
      when /\A((?:broker|client)_\d+) (none|alive|lost|exited)(?: (\d+))?\z/ then glances[$1] = Glance.new(state: $2,
        exit_code: $3&.to_i)
      when %r{\Atimes ([\w+/=]+)\z} then glances.values.last.times = $1
      when /\A\{.*\}\z/ then glances.values.last.line = line
      end
    end
end
