require "test_helper"
require "minitest/mock"
require_relative "../../support/ec2_stubs"

class Provider::Ec2::BootTest < ActiveSupport::TestCase
  include Ec2Stubs

  setup do
    @sshd = TCPServer.new("127.0.0.1", 0)
    @provider = ec2(ssh_port: @sshd.addr[1], boot_timeout: 10)
    @run = run_on(@provider)
    @said = []
  end

  teardown { @sshd.close unless @sshd.closed? }

  test "waits for sshd, key and installation with progress" do
    provision Machine::Unreachable.new("not yet"), Machine::Refused.new("no such key yet"), "busy installing Java",
      "busy installing Java", "ready 17"

    assert @run.machines.reload.all?(&:ready?)
    assert_equal [ "is i-1: c6i.large in us-east-1a from debian-12-amd64-20261101-1", "runs at 127.0.0.1 after N s",
      "shows its host key in the console output", "installing Java", "is ready after N s" ],
      @said.grep(/\A#{@run.machines.first.name} /).map { |message|
        message.delete_prefix("#{@run.machines.first.name} ").sub(/after \d+ s/, "after N s")
      }
    assert_equal [ "ssh-ed25519 AAAAhost" ], @run.machines.first.host_keys
  end

  test "a failed installation shows its log" do
    error = assert_raises(Provider::Ec2::Error) { provision "failed installing Java: E: Unable to locate package" }

    assert_match(/failed installing Java: E: Unable to locate package/, error.message)
    assert_match(/mirrors/, error.advice)
  end

  test "a closed port is named at the timeout" do
    @sshd.close
    error = assert_raises(Provider::Ec2::Error) { connecting_for_real { provision_late } }

    assert_match(/\(i-1\) is not ready after 10 s: \[127\.0\.0\.1\]:\d+ refuses connections/, error.message)
    assert_match(/port \d+ is open/, error.advice)
  end

  test "connections speak SSH, and a penalty is named" do
    began = Queue.new
    door = Thread.new do
      loop do
        @sshd.accept.then do |socket|
          began << (socket.wait_readable(1) ? socket.readpartial(100).to_s : "")
          socket.write "Not allowed at this time\r\n"
          socket.close
        end
      rescue EOFError
        began << ""
      end
    end
    error = assert_raises(Provider::Ec2::Error) { connecting_for_real { provision_late } }

    said = Array.new(began.size) { began.pop }
    assert_operator said.size, :>, 0
    assert_equal [ "SSH-2.0" ], said.map { |words| words.first(7) }.uniq
    assert_match(/closed the connection before the SSH handshake: Not allowed at this time/, error.message)
    assert_match(/PerSourcePenalties/, error.advice)
  ensure
    door.kill
  end

  test "connects less often than it reads instances" do
    provision(*Array.new(3) { Machine::Refused.new("no such key yet") }, "ready 17", "ready 17")

    assert_operator requests(@provider, :describe_instances).size, :>, 3 * 2
  end

  test "a wrong host key ends the boot" do
    error = assert_raises(Provider::Ec2::Error) do
      provision Machine::HostKeyChanged.new("The host key of 127.0.0.1 has changed: it shows SHA256:x"), "ready 17"
    end

    assert_match(/\(i-1\) shows another host key than the one in its console output: .*SHA256:x/, error.message)
    assert_match(/do not connect/, error.advice)
  end

  test "a key never accepted is named at the timeout" do
    error = assert_raises(Provider::Ec2::Error) do
      provision_late Machine::Refused.new("127.0.0.1 does not accept the key")
    end

    assert_match(/is not ready after 10 s: 127.0.0.1 does not accept the key/, error.message)
  end

  test "older hardware shows its console without latest" do
    @provider.client.stub_responses :get_console_output, lambda { |context|
      context.params[:latest] ? refusal("UnsupportedOperation") : {
        output: [ "-----BEGIN SSH HOST KEY KEYS-----\necdsa-sha2-nistp256 AAAAold root@ip\n-----END SSH HOST KEY " \
          "KEYS-----\n" ].pack("m")
      }
    }
    provision "ready 17"

    assert_equal [ "ecdsa-sha2-nistp256 AAAAold" ], @run.machines.reload.first.host_keys
  end

  test "without a printed host key the first is trusted" do
    @provider.client.stub_responses :get_console_output, output: [ "Booting" ].pack("m")
    @provider.define_singleton_method(:boot_timeout) { 3600 }
    time = Time.current
    Time.stub(:current, -> { time += 5 }) { provision "ready 17" }

    assert_equal [], @run.machines.reload.first.host_keys
    assert @said.any?(/the one of the first connection will be trusted/)
  end

  test "a console without host keys is not read" do
    @provider.define_singleton_method(:prints_host_key) { false }
    @provider.define_singleton_method(:console_output) { |_| raise "asked" }
    provision "ready 17"

    assert_equal [], @run.machines.reload.first.host_keys
  end

  test "an instance that ends while booting says why" do
    @provider.client.stub_responses :get_console_output, lambda { |_|
      instances["i-1"].merge! state: { name: "shutting-down" },
        state_reason: {
          code: "Client.InstanceInitiatedShutdown",
          message: "Client.InstanceInitiatedShutdown: Instance initiated shutdown"
        }
      { output: "" }
    }
    error = assert_raises(Provider::Ec2::Error) { provision "ready 17" }

    assert_match(/\(i-1\) has ended: Client.InstanceInitiatedShutdown/, error.message)
  end

  private
    # Connects to the reported addresses of the instances.
    def connecting_for_real
      define_singleton_method(:machines_of) { |run, *| run.machines.to_a }
      yield
    end

    def provision(*answers)
      @provider.provision(machines_of(@run.reload, *answers)) { |message, _| @said << message }
    end

    # Each read of the instances makes them some seconds older.
    def provision_late(*answers)
      @provider.define_singleton_method(:servers_of) do |machines|
        super(machines).tap { machines.each { |machine| machine.provisioned_at -= 4 } }
      end
      provision(*answers)
    end
end
