# How the JVMs of a machine are, by one short script: whether they live, their exit code, their latest line of progress.
module Machine::Glanceable
  # Between a JVM's end and its exit code stands its keeper, which on a busy machine may take its time: until then the JVM has not ended.
  GLANCE = <<~SH
    cd %{directory} || exit 1
    for jvm in %{jvms}; do
      pid= state=none
      if [ -e $jvm/pid ]; then read -r pid <$jvm/pid; state=lost; fi
      for process in $pid $(cat $jvm/keeper 2>/dev/null); do
        if [ /proc/$process/cwd -ef $jvm ]; then state=alive; fi
      done
      if [ -e $jvm/exit_code ]; then read -r code <$jvm/exit_code; state="exited $code"; fi
      echo "$jvm $state"
      if [ -s $jvm/logs/stdout.log ]; then tail -n 2 $jvm/logs/stdout.log; fi
    done
  SH

  Glance = Struct.new(:state, :exit_code, :line, keyword_init: true) do
    def progress
      @progress ||= line ? JSON.parse(line) : {}
    end
  end

  # { "broker_0" => Glance, … }
  def glance(names)
    output = shell.execute!(format(GLANCE, directory: directory.shellescape, jvms: names.join(" ")), timeout: 20).output
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
      when /\A((?:broker|client)_\d+) (none|alive|lost|exited)(?: (\d+))?\z/ then glances[$1] = Glance.new(state: $2, exit_code: $3&.to_i)
      when /\A\{.*\}\z/ then glances.values.last.line = line
      end
    end
end
