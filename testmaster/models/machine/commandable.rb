# Words with the JVMs of a machine: by their command files, by signals; and with its kernel about ports.
module Machine::Commandable
  PORTS = 20_000..29_999
  SIGNAL = <<~SH
    cd %{directory} || exit 0
    for jvm in %{jvms}; do
      [ -e $jvm/pid ] && [ ! -e $jvm/exit_code ] || continue
      read -r pid <$jvm/pid
      if [ /proc/$pid/cwd -ef $jvm ]; then kill -%{signal} $pid; fi
    done
  SH

  # A command file that is still there belongs to somebody else, whose turn it is.
  ASK = <<~'SH'
    cd %{directory} || exit 1
    ask() {
      pid=; [ ! -e $1/pid ] || read -r pid <$1/pid
      if [ -z "$pid" ] || [ -e $1/exit_code ] || ! [ /proc/$pid/cwd -ef $1 ]; then echo "$1;UNANSWERED;it does not run"; return; fi
      result=$1/%{file}.result; touch $result
      before=$(wc -l <$result)
      printf '%%s\n' "$2" >$1/command.$$
      for _ in $(seq 50); do ln $1/command.$$ $1/%{file} 2>/dev/null && break; sleep 0.1; done
      rm $1/command.$$
      for _ in $(seq 100); do
        answer=$(tail -n +$((before + 1)) $result | grep -F -m 1 ";$2;") && { echo "$1;${answer#*";$2;"}"; return; }
        sleep 0.1
      done
      echo "$1;UNANSWERED;it said nothing within 10 s"
    }
    for jvm in %{jvms}; do ask $jvm %{line} & done
    wait
  SH

  # Writes a line to the command file of each and waits for the answers: { "broker_0" => [ "OK", "what it said" ], … }
  def ask(jvms, line, file)
    script = format(ASK, directory: directory.shellescape, jvms: jvms.map(&:name).join(" "), line: line.shellescape, file: file.shellescape)
    shell.execute!(script, timeout: 40).output.scrub.lines(chomp: true).to_h do |answer|
      name, state, text = answer.split(";", 3)
      [ name, [ state, text ] ]
    end
  end

  # Writes a line to the command file of each, in one go.
  def tell(jvms, line, file)
    shell.execute! <<~SH
      cd #{directory.shellescape} || exit 1
      for jvm in #{jvms.map(&:name).join(" ")}; do
        echo #{line.shellescape} >$jvm/command.new && mv $jvm/command.new $jvm/#{file.shellescape} || exit 1
      done
    SH
  end

  def signal(jvms, name)
    shell.execute! format(SIGNAL, directory: directory.shellescape, jvms: jvms.map(&:name).join(" "), signal: name)
  end

  # Gives each broker a port where nobody listens, or those that its group asks for.
  def choose_ports(jvms)
    jvms.group_by(&:group).each do |group, brokers|
      wanted = group.settings["port"]
      brokers.each_with_index { |jvm, n| jvm.port = wanted.to_i + n if wanted }
    end
    jvms.reject(&:port?).zip(free_ports(jvms.size)).each { |jvm, port| jvm.port = port }
    jvms.each(&:save!)
  end

  def free_ports(count = 1)
    taken = listening_ports
    PORTS.to_a.shuffle.lazy.reject { |port| port.in? taken }.first(count)
  end

  private
    def listening_ports
      shell.execute!("cat /proc/net/tcp /proc/net/tcp6 2>/dev/null; true").output.lines.filter_map do |line|
        fields = line.split
        fields[1].split(":").last.hex if fields[3] == "0A"
      end.to_set
    end
end
