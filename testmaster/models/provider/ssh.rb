# Uses existing machines: a list of hosts, each of which serves one run at a time.
class Provider::Ssh < Provider
  include Provider::Configurable
  include Checkable, Foldered, KnownHosts, Reserving, Settings

  self.hint = "Machines reached by SSH"

  def provision(machines, &progress)
    reserve machines.reject(&:reference?), &progress
    machines.each(&:shell)
    side_by_side(machines.reject(&:ready?)) { |machine| make_folder(machine) }.each do |machine, folder|
      machine.update! state: "ready", directory: folder
    end
  end

  def shell(machine)
    shell_on Host.parse(machine.reference)
  end

  private
    def shell_on(host)
      Machine::Shell::Ssh.new host: host.name, port: host.port, user: host.user, private_key: private_key,
        passphrase: passphrase, key_file: key_file,
        host_keys: known_keys(host), on_new_host_key: (->(key) { learn host, key } if unknown_hosts == "learn")
    end
end
