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

  # Writes a line to the command file of each, in one go.
  def tell(jvms, line)
    shell.execute! <<~SH
      cd #{directory.shellescape} || exit 1
      for jvm in #{jvms.map(&:name).join(" ")}; do
        echo #{line.shellescape} >$jvm/command.new && mv $jvm/command.new $jvm/#{Jvm::Configurable::COMMAND_FILE} || exit 1
      done
    SH
  end

  def signal(jvms, name)
    shell.execute! format(SIGNAL, directory: directory.shellescape, jvms: jvms.map(&:name).join(" "), signal: name)
  end

  # Gives each broker a port where nobody listens, or those that its group asks for.
  def choose_ports(jvms)
    taken = listening_ports
    free = PORTS.to_a.shuffle.lazy.reject { |port| port.in? taken }
    jvms.group_by(&:group).each do |group, brokers|
      wanted = group.settings["port"]
      brokers.each_with_index { |jvm, n| jvm.port = wanted.to_i + n if wanted }
    end
    jvms.reject(&:port?).zip(free.first(jvms.size)).each { |jvm, port| jvm.port = port }
    jvms.each(&:save!)
  end

  private
    def listening_ports
      shell.execute!("cat /proc/net/tcp /proc/net/tcp6 2>/dev/null; true").output.lines.filter_map do |line|
        fields = line.split
        fields[1].split(":").last.hex if fields[3] == "0A"
      end.to_set
    end
end
