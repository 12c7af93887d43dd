require "test_helper"
require_relative "../shell_contract"

class Machine::Shell::SshTest < ActiveSupport::TestCase
  include LoopbackHostsHelper

  setup do
    @host = loopback_hosts["127.0.1.1"]
    @pool = Machine::Shell::Ssh::Pool.new
    @shell = shell_on(@host)
    @directory = @shell.execute!("mktemp -d").output.strip
  end

  teardown do
    loopback_hosts.unhang @host.address if loopback_hosts.alive?(@host.address)
    loopback_hosts.start
    @shell.execute! "rm -rf #{@directory}"
    @shell.close
  end

  include MachineShellContract

  private
    def shell_on(host, host_keys: [ host.host_key ], **options)
      Machine::Shell::Ssh.new(host: host.address, port: host.port, user: host.user, host_keys: host_keys, pool: @pool,
        **{ private_key: File.read(loopback_hosts.client_key_path) }.merge(options))
    end
end
