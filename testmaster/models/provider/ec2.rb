# Machines that are rented by the second.
class Provider::Ec2 < Provider
  include Provider::Configurable
  include Access, Checkable, Connection, Images, Launching, Pricing, Releasing, Settings, Tags

  class_attribute :poll_interval, default: 2 # seconds

  def shell(machine)
    Machine::Shell::Ssh.new host: machine.host, user: ssh_user, port: ssh_port, private_key: private_key, host_keys: machine.facts.fetch("host_keys", []),
      on_new_host_key: ->(key) { machine.update! facts: machine.facts.merge("host_keys" => [ key ]) }
  end
end
