# Communicates with the JVMs of a machine by command files and signals, and with its kernel about ports.
module Machine::Commandable
  PORTS = 20_000..29_999
  LISTENS = /\A *\d+: \h+:(\h{4}) \h+:\h{4} 0A /

  # Writes a line to the command file of each JVM and waits for the replies: { "broker_0" => [ "OK", "reply" ], … }.
  # patience is the time limit of a reply in seconds.
  def ask(jvms, line, file, patience: 10)
    names = jvms.map(&:name)
    answers = script!("ask", file, line, patience, *names, timeout: 30 + patience).output.scrub
    answers.each_line(chomp: true).with_object({}) do |answer, known|
      name, state, text = answer.split(";", 3)
      known[name] ||= [ state, ForeignText.fit(text, Machine::Limits::REPLY) ] if name.in?(names)
    end
  end

  # Writes a line to the command file of each JVM with one command.
  def tell(jvms, line, file)
    script! "send_command", file, line, *jvms.map(&:name)
  end

  def signal(jvms, name)
    script! "signal", name, *jvms.map(&:name)
  end

  # Assigns each broker a free port, or the ports that its group specifies.
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
    free = PORTS.to_a.shuffle.lazy.reject { |port| port.in? taken }.first(count)
    return free if free.size == count

    raise Failure.new("#{name} has no #{count} free ports from #{PORTS.begin} to #{PORTS.end}", machine: self,
      advice: "End what listens there: ss -ltn on that machine shows it.")
  end

  private
    def listening_ports
      shell.execute!("cat /proc/net/tcp /proc/net/tcp6 2>/dev/null; true").output.scrub.each_line
        .filter_map { |line| line[LISTENS, 1]&.hex }.to_set
    end
end
