# A minimal cloud that rents out the loopback hosts. It shows the methods that a new provider implements.
class Provider::Nimbus < Provider
  include Provider::Configurable

  setting :instance_type, default: "small", hint: "Of groups that name none"
  setting :ssh_user, default: Etc.getpwuid.name, hint: "Of the hosts"

  include Provider::Rented

  class_attribute :hosts, :rented_out, instance_predicate: false # hosts of a LoopbackHosts; { reference => Server }
  self.poll_interval = 0.02

  def servers_of(machines)
    rented_out.slice(*machines.map(&:reference))
  end

  def console_output(machine)
    "-----BEGIN SSH HOST KEY KEYS-----\n#{host_of(machine.reference).host_key}\n-----END SSH HOST KEY KEYS-----\n"
  end

  def hourly_price(type)
    "0.1".to_d
  end

  def check
    [ Provider::Finding.new(subject: "sky", message: "blue", state: "ok") ]
  end

  def console
    "the sky"
  end

  def advice_about_end(code)
    "Look up."
  end

  private
    def look_up(types)
    end

    def places
      [ Provider::Rented::Place.new("sky-1", "the first sky") ]
    end

    def grant_access(run_id, place)
    end

    def withdraw_access(run_id)
    end

    def sweep_access(kept)
    end

    def order(machine, place, access)
      reference = "n-#{token(machine)}"
      rented_out[reference] ||= boot_host((hosts
        .map(&:address) - rented_out.values.select(&:running?).map(&:public_address)).first, reference, machine)
    end

    def boot_host(address, reference, machine)
      marker = File.join(hosts.find { |host| host.address == address }.home, Provider::Rented::UserData::MARKER)
      FileUtils.mkdir_p File.dirname(marker)
      File.write marker, "ready"
      Provider::Rented::Server.new reference: reference, state: "running", type: machine.instance_type,
        image: "a cloud", public_address: address, private_address: address,
        zone: "sky", started_at: Time.current,
        tags: { run: machine.test_run_id, machine: machine.id, role: machine.role, name: machine.name }
    end

    def living_servers(machine = nil)
      rented_out.values.select { |server| server.running? && (machine.nil? || server.tags[:machine] == machine.id) }
    end

    def terminate(references)
      rented_out.values_at(*references).compact.select(&:running?).each do |server|
        server.state = "ended"
        home = host_of(server.reference).home
        Dir["/proc/[0-9]*/cwd"].each do |link|
          Process.kill :KILL, link[/\d+/].to_i if File.readlink(link).start_with?("#{home}/")
        rescue SystemCallError
          nil # It has ended by itself, or is not ours to look at.
        end
        FileUtils.rm_rf File.join(home, "testmaster")
      end
    end

    def host_of(reference)
      hosts.find { |host| host.address == rented_out.fetch(reference).public_address }
    end
end

# Adds Nimbus as a kind of provider for a test.
module OnNimbus
  extend ActiveSupport::Concern
  include LoopbackHostsHelper

  included do
    setup do
      Provider::KINDS << "nimbus"
      Provider::Nimbus.hosts, Provider::Nimbus.rented_out = loopback_hosts.hosts, {}
      @provider = Provider::Nimbus.create!(name: "sky", ssh_port: loopback_hosts.hosts.first.port,
        private_key: File.read(loopback_hosts.client_key_path))
    end

    teardown do
      @provider.release_all @provider.machines.held.to_a
      Provider::KINDS.delete "nimbus"
    end
  end
end
