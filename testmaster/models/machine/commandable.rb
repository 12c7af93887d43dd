# Words with the JVMs of a machine: by their command files, by signals; and with its kernel about ports.
module Machine::Commandable
  PORTS = 20_000..29_999

  # Writes a line to the command file of each and waits for the answers: { "broker_0" => [ "OK", "what it said" ], … }
  # patience: seconds that an answer may take
  def ask(jvms, line, file, patience: 10)
    answers = script!("ask", file, line, patience, *jvms.map(&:name), timeout: 30 + patience).output.scrub
    answers.lines(chomp: true).to_h do |answer|
      name, state, text = answer.split(";", 3)
      [ name, [ state, text ] ]
    end
  end

  # Writes a line to the command file of each, in one go.
  def tell(jvms, line, file)
    script! "tell", file, line, *jvms.map(&:name)
  end

  def signal(jvms, name)
    script! "signal", name, *jvms.map(&:name)
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
