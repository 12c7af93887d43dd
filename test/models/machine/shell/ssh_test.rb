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

  test "commands share a connection" do
    assert_equal 1, 3.times.map { @shell.execute!("echo $SSH_CONNECTION").output }.uniq.size
    assert_equal 1, @pool.size
  end

  test "waiting for a connection times out" do
    pool = Machine::Shell::Ssh::Pool.new(limit_per_machine: 1)
    shell = shell_on(@host, pool: pool)
    shell.execute! "mkfifo #{@directory}/begun #{@directory}/gate"
    busy = Thread.new { shell.execute! "echo >#{@directory}/begun; cat #{@directory}/gate" }
    @shell.execute! "cat #{@directory}/begun"

    assert_match "All connections to [127.0.1.1]",
      assert_raises(Machine::Unreachable) { shell.execute "true", timeout: 0.1 }.message
    @shell.execute! "echo >#{@directory}/gate"
    assert_predicate busy.value, :success?
  ensure
    shell.close
  end

  test "a dead idle connection is replaced" do
    first = @shell.execute!("echo $SSH_CONNECTION").output
    @pool.beat
    assert_equal first, @shell.execute!("echo $SSH_CONNECTION").output

    loopback_hosts.stop @host.address
    @pool.beat
    assert_equal 0, @pool.size

    loopback_hosts.start
    assert_not_equal first, @shell.execute!("echo $SSH_CONNECTION").output
  end

  test "a connection that died unnoticed is replaced" do
    loopback_hosts.stop @host.address
    loopback_hosts.start

    assert_equal "well\n", @shell.execute!("echo well").output
  end

  test "a refused connection is retried, then explained" do
    loopback_hosts.stop @host.address
    error = assert_raises(Machine::Unreachable) { @shell.execute "true", timeout: 0.5 }

    assert_equal "[127.0.1.1]:#{@host.port} refuses connections", error.message
    assert_match "Start sshd", error.advice
    assert_not_predicate @shell, :alive?

    patient = Thread.new { @shell.execute!("echo back").output }
    loopback_hosts.start
    assert_equal "back\n", patient.value
  end

  test "a command that loses its host is not repeated" do
    @shell.execute! "mkfifo #{@directory}/begun"
    working = Thread.new { @shell.execute "echo run >>#{@directory}/runs; echo >#{@directory}/begun; sleep 30" }
    working.report_on_exception = false
    shell_on(@host, pool: Machine::Shell::Ssh::Pool.new).execute! "cat #{@directory}/begun"
    loopback_hosts.stop @host.address

    assert_match "was lost while a command ran", assert_raises(Machine::Unreachable) { working.value }.message
    loopback_hosts.start
    assert_equal "run\n", @shell.execute!("cat #{@directory}/runs").output
  end

  test "a partial upload leaves nothing" do
    loopback = loopback_hosts
    address = @host.address
    content = StringIO.new("x" * 3_000_000)
    content.define_singleton_method(:read) do |*arguments|
      super(*arguments).tap { loopback.stop address if pos.between?(1_000_000, 1_200_000) }
    end

    assert_raises(Machine::Unreachable) { @shell.upload content, "#{@directory}/file" }
    loopback_hosts.start
    assert_equal "",
      await { @shell.execute!("ls #{@directory}").output.then { |list| list unless list.include?("part") } }

    @shell.upload "x" * 3_000_000, "#{@directory}/file"
    assert_equal "3000000", @shell.execute!("wc -c <#{@directory}/file").output.strip
  end

  test "an interrupted download continues at its offset" do
    content = Random.bytes(3_000_000)
    @shell.upload content, "#{@directory}/file"
    loopback = loopback_hosts
    to_stop = [ @host.address ] # only once: the second download may also begin with few bytes
    copy = StringIO.new("".b)
    copy.define_singleton_method(:<<) do |data|
      super(data).tap { loopback.stop to_stop.pop if to_stop.any? && size.positive? }
    end

    assert_raises(Machine::Unreachable) { @shell.download "#{@directory}/file", copy }
    assert_operator copy.size, :<, content.bytesize
    loopback_hosts.start
    @shell.download "#{@directory}/file", copy, offset: copy.size

    assert_equal Digest::SHA256.hexdigest(content), Digest::SHA256.hexdigest(copy.string)
  end

  test "a host that hangs times out" do
    @shell.execute! "mkfifo #{@directory}/begun"
    working = Thread.new { shell_on(@host, silence: 1).execute "echo >#{@directory}/begun; sleep 30", timeout: 60 }
    working.report_on_exception = false
    shell_on(@host, pool: Machine::Shell::Ssh::Pool.new).execute! "cat #{@directory}/begun"
    loopback_hosts.hang @host.address

    assert_match "stopped responding (no sign of life for 1 s)",
      assert_raises(Machine::Unreachable) { working.value }.message
    error = assert_raises(Machine::Unreachable) { @shell.execute "true", timeout: 1 }
    assert_match "does not respond within 1.0 s", error.message
    assert_match "whether the machine is up", error.advice

    loopback_hosts.unhang @host.address
    assert_equal "well\n", @shell.execute!("echo well").output
  end

  test "a host that hangs during an upload times out" do
    shell = shell_on(@host, silence: 1, pool: Machine::Shell::Ssh::Pool.new)
    loopback, address = loopback_hosts, @host.address
    content = StringIO.new("x" * 60_000_000)
    content.define_singleton_method(:read) do |*arguments|
      super(*arguments).tap { loopback.hang address if pos.between?(1_000_000, 1_200_000) }
    end

    assert_raises(Machine::Unreachable) { shell.upload content, "#{@directory}/file" }
  end

  test "a host that sends endless noise times out" do
    endless = Class.new { def fill(*) = 8192 }.new.extend(Machine::Shell::Ssh::Pulse::Hearing)
    endless.patience = Machine::Shell::Ssh::Patience.new(0.1)

    assert_match "on and on", assert_raises(Net::SSH::Timeout) { loop { endless.fill } }.message
  end

  test "a slow command is no hanging host" do
    assert_equal "slow\n", shell_on(@host, silence: 1).execute!("sleep 2.5; echo slow").output
  end

  test "a timeout ends the remote command and its children" do
    assert_raises(Machine::CommandFailed) do
      @shell.execute! "sleep 60 & echo $! >#{@directory}/child; wait", timeout: 0.5
    end

    child = @shell.execute!("cat #{@directory}/child").output.strip
    await { !File.exist?("/proc/#{child}/exe") || File.read("/proc/#{child}/stat").include?(") Z ") }
    assert_equal 1, @pool.size
  end

  test "a full local disk is no lost connection" do
    assert_raises(Errno::ENOSPC) do
      File.open("/dev/full", "w") { |full| full.sync = true; @shell.download "/proc/self/status", full }
    end

    assert_equal "well\n", @shell.execute!("echo well").output
  end

  test "a full remote disk is explained and left clean" do
    loopback_hosts.shrink_disk @host.address, 1_000_000
    error = assert_raises(Machine::CommandFailed) { @shell.upload "x" * 4_000_000, "file" }

    assert_match "free some space", error.advice
    assert_equal "", @shell.execute!("ls").output
  ensure
    loopback_hosts.restore_disk @host.address
  end

  test "an unknown host name is not retried" do
    error = assert_raises(Machine::Refused) { shell_on(@host, address: "no-such-host.invalid").execute "true" }

    assert_match "no-such-host.invalid does not exist", error.message
    assert_match "getent hosts no-such-host.invalid", error.advice
  end

  test "a wrong key is refused with advice" do
    key, public_key = new_key
    error = assert_raises(Machine::Refused) { shell_on(@host, private_key: key).execute "true" }

    assert_match "127.0.1.1 does not accept the private key of the provider for the user #{@host.user}", error.message
    assert_includes error.advice, public_key
    assert_no_match(/PRIVATE KEY/, [ error.full_message, shell_on(@host, private_key: key).inspect ].join)
  end

  test "an invalid key is refused without being shown" do
    error = assert_raises(Machine::Refused) do
      shell_on(@host,
        private_key: "-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0\n-----END OPENSSH PRIVATE KEY-----").execute "true"
    end

    assert_match "the private key of the provider is no private key", error.message
    assert_no_match(/c2VjcmV0/, error.full_message)
  end

  test "a key with a passphrase needs it" do
    key, public_key = new_key(passphrase: "open sesame")
    File.open(File.join(loopback_hosts.directory, @host.address, "authorized_keys"), "a") do |file|
      file.puts public_key
    end

    assert_equal "in\n", shell_on(@host, private_key: key, passphrase: "open sesame").execute!("echo in").output
    [ nil, "wrong" ].each do |passphrase|
      error = assert_raises(Machine::Refused) do
        shell_on(@host, private_key: key, passphrase: passphrase, pool: Machine::Shell::Ssh::Pool.new).execute "true"
      end
      assert_match "has a passphrase, which is missing or wrong", error.message
    end
  end

  test "accepts a key from a file" do
    assert_equal "in\n",
      shell_on(@host, private_key: nil, key_file: loopback_hosts.client_key_path).execute!("echo in").output

    error = assert_raises(Machine::Refused) do
      shell_on(@host, private_key: nil, key_file: "/no/such/key").execute "true"
    end
    assert_match "the key file /no/such/key cannot be read", error.message
  end

  test "accepts a key from an agent" do
    with_agent do
      assert_equal "in\n", shell_on(@host, private_key: nil).execute!("echo in").output
    end
  end

  test "explains where a key can come from" do
    with_environment("SSH_AUTH_SOCK" => nil) do
      assert_match "Give the provider a private key",
        assert_raises(Machine::Refused) { shell_on(@host, private_key: nil).execute "true" }.advice
    end
  end

  test "a changed host key is refused" do
    stranger = loopback_hosts["127.0.1.2"].host_key
    error = assert_raises(Machine::Refused) do
      shell_on(@host, host_keys: [ stranger ], pool: Machine::Shell::Ssh::Pool.new).execute "true"
    end

    assert_match "The host key of [127.0.1.1]:#{@host.port} has changed", error.message
    assert_match fingerprint(stranger), error.message
    assert_match fingerprint(@host.host_key), error.message
    assert_match "installed anew", error.advice
  end

  test "learns an unknown host key after authentication" do
    learned = []
    shell = shell_on(@host, host_keys: [], on_new_host_key: ->(key) { learned << key },
      pool: Machine::Shell::Ssh::Pool.new)
    2.times { shell.execute! "true" }
    assert_equal [ @host.host_key.split.first(2).join(" ") ], learned

    key, _ = new_key
    assert_raises(Machine::Refused) do
      shell_on(@host, host_keys: [], on_new_host_key: ->(key) { learned << key }, private_key: key).execute "true"
    end
    assert_equal 1, learned.size
  ensure
    shell.close
  end

  test "refuses an unknown host key unless it may learn it" do
    error = assert_raises(Machine::Refused) do
      shell_on(@host, host_keys: [], pool: Machine::Shell::Ssh::Pool.new).execute "true"
    end

    assert_match "Unknown host key for [127.0.1.1]:#{@host.port}", error.message
    assert_match "ssh-keyscan -p #{@host.port} 127.0.1.1", error.advice
  end

  private
    def shell_on(host, address: host.address, host_keys: [ host.host_key ], pool: @pool, **options)
      Machine::Shell::Ssh.new(host: address, port: host.port, user: host.user, host_keys: host_keys, pool: pool,
        **{ private_key: File.read(loopback_hosts.client_key_path) }.merge(options))
    end

    def new_key(passphrase: "")
      Dir.mktmpdir do |directory|
        system "ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", "", "-f", "#{directory}/key",
          exception: true
        [ File.read("#{directory}/key"), File.read("#{directory}/key.pub").strip ]
      end
    end

    def fingerprint(public_key)
      Machine::Shell::Ssh::HostKeys::Key.parse(public_key).fingerprint
    end

    def with_agent
      agent = IO.popen(%w[ ssh-agent -s ], &:read).scan(/(SSH_\w+)=([^;]+)/).to_h
      with_environment(agent) do
        system "ssh-add", "-q", loopback_hosts.client_key_path, exception: true
        yield
      end
    ensure
      Process.kill :TERM, agent.fetch("SSH_AGENT_PID").to_i
    end

    def with_environment(variables)
      before = variables.to_h { |name, _| [ name, ENV[name] ] }
      ENV.update variables
      yield
    ensure
      ENV.update before
    end
end
