require "test_helper"

class Provider::SshTest < ActiveSupport::TestCase
  include LoopbackHostsHelper

  setup do
    @provider = Provider::Ssh.create!(name: "three hosts", hosts: loopback_hosts.hosts.join("\n"),
      private_key: File.read(loopback_hosts.client_key_path))
  end

  teardown do
    loopback_hosts.start
    @provider.machines.reload.each(&:release)
  end

  test "each machine gets a host and a folder" do
    machines = provision(run_on(brokers: 1, clients: 2))

    assert_equal %w[ 127.0.1.1 127.0.1.2 127.0.1.3 ], machines.map(&:host).sort
    assert machines.all?(&:ready?)
    machines.each do |machine|
      assert_equal [ "#{home(machine)}/testmaster/run_#{machine.test_run_id}" ] * 2,
        [ machine.directory, machine.shell.execute!("cd #{machine.directory} && pwd").output.chomp ]
    end
  end

  test "provisioning continues where it was interrupted" do
    run = run_on(brokers: 1, clients: 1)
    first, second = provision(run)
    second.update! state: "provisioning", directory: nil

    hosts = [ first.host, second.host ]
    first.shell.execute! "touch #{first.directory}/work"

    provision run
    assert_equal hosts, [ first, second ].map { |machine| machine.reload.host }
    assert_equal [ "ready", "#{home(second)}/testmaster/run_#{run.id}" ], [ second.state, second.directory ]
    assert_path_exists "#{first.directory}/work"
  end

  test "hosts serve the roles that they allow" do
    one, two, three = loopback_hosts.hosts
    @provider.update! hosts: "#{one} broker client\n#{two} client\n#{three} # for whatever is left"

    machines = provision(run_on(brokers: 2, clients: 1)).group_by(&:role)
    assert_equal [ one.address, three.address ], machines["broker"].map(&:host).sort
    assert_equal [ two.address ], machines["client"].map(&:host)
  end

  test "a key file must be a small regular file" do
    Dir.mktmpdir do |folder|
      File.mkfifo "#{folder}/pipe"
      File.write "#{folder}/large", "x" * 65.kilobytes
      [ "/dev/zero", "#{folder}/pipe", folder, "#{folder}/large" ].each do |path|
        Timeout.timeout(10) { @provider.assign_attributes private_key: nil, key_file: path }
        assert_not @provider.valid?
        assert_match(/regular file of at most 64 KB/, @provider.errors[:key_file].sole, path)
      end
      @provider.key_file = "#{folder}/nothing"
      assert_match "cannot be read", @provider.tap(&:valid?).errors[:key_file].sole
    end
  end

  test "a host serves one run at a time" do
    first, second = run_on(brokers: 1, clients: 1), run_on(brokers: 1, clients: 1)
    assert @provider.room_for?(second)
    provision first
    assert_not @provider.room_for?(second)
    assert_match "The run needs 2 hosts (1 for brokers and 1 for clients). Too few are free " \
      "(127.0.1.3 (any))", assert_raises(Provider::Error) { provision second }.message

    first.machines.first.release
    assert @provider.room_for?(second)
    assert_equal 2, provision(second).count(&:ready?)
  end

  test "a host in two lists is one host" do
    other = Provider::Ssh.create!(@provider.slice(:hosts, :private_key).merge(name: "the same again"))
    provision run_on(brokers: 1, clients: 2)

    assert_not other.room_for?(run_on(brokers: 1, clients: 1, provider: other))
  end

  test "a run being provisioned reserves its hosts" do
    on_its_way = run_on(brokers: 1, clients: 1)
    on_its_way.update_columns state: "provisioning"

    assert_not @provider.room_for?(run_on(brokers: 1, clients: 1))
    assert @provider.room_for?(on_its_way)
  end

  test "a run that needs more hosts is not launched" do
    assert_empty @provider.objections_to(run_on(brokers: 1, clients: 2))
    assert_match "needs 4 hosts (2 for brokers, 1 for clients, and 1 for the database)",
      @provider.objections_to(run_on(brokers: 2, clients: 1, database: "machine")).first
  end

  test "brokers must be able to reach the database" do
    @provider.update! hosts: "192.0.2.5 broker\n192.0.2.6 client\n#{loopback_hosts.hosts.first} client"
    assert_match(Regexp.new("\\A192\\.0\\.2\\.5 cannot reach the embedded database, .*: " \
      "give the database a machine of its own, or the address"),
      @provider.objections_to(run_on(brokers: 1, clients: 2)).sole)

    assert_empty @provider.objections_to(run_on(brokers: 1, clients: 2,
      database: "postgresql://mlmq@192.0.2.9/postgres"))
    @provider.update! hosts: loopback_hosts.hosts.map { |host| "#{host} broker" }.push("192.0.2.6 client",
      "no-such-host.invalid").join("\n")
    assert_empty @provider.objections_to(run_on(brokers: 1, clients: 1))
  end

  test "release ends only the programs of its run" do
    machine = provision(run_on(brokers: 1, clients: 1)).first
    machine.shell.execute! "mkdir -p #{machine.directory}/broker_0 #{home(machine)}/other"
    machine.shell.start "sleep 300", directory: "#{machine.directory}/broker_0"
    machine.shell.start "sh -c 'trap \"\" TERM; echo $$ >stubborn; while :; do sleep 0.1; done'",
      directory: machine.directory
    machine.shell.start "sleep 300", directory: "#{home(machine)}/other"
    running = await do
      [ "#{machine.directory}/broker_0/pid",
        "#{machine.directory}/stubborn" ]
          .filter_map { |file| Integer(File.read(file), exception: false) if File.exist?(file) }.presence.then do |pids|
            pids if pids&.size == 2
          end
    end
    other = File.read("#{home(machine)}/other/pid").to_i

    2.times { machine.release }

    assert_predicate machine, :released?
    assert_empty running.select { |pid| runs?(pid) }
    assert runs?(other)
    refute_path_exists machine.directory
  ensure
    Process.kill :KILL, other if other
  end

  test "an unreachable host stays allocated" do
    machine = provision(run_on(brokers: 1, clients: 1)).first
    loopback_hosts.stop machine.host

    error = assert_raises(Machine::Unreachable) { machine.release }
    assert_equal machine, error.machine
    assert_includes Machine.held, machine.reload

    loopback_hosts.start
    machine.release
    refute_path_exists machine.directory
  end

  test "an unreachable host off the list is released" do
    machine = provision(run_on(brokers: 1, clients: 1)).first
    loopback_hosts.stop machine.host
    @provider.update! hosts: loopback_hosts.hosts.reject { |host| host.address == machine.host }.join("\n")
    Machine.find(machine.id).release

    assert_predicate machine.reload, :released?
  end

  test "sweeps machines of ended runs" do
    at_work, over = run_on(brokers: 1, clients: 0), run_on(brokers: 1, clients: 0)
    [ at_work, over ].each { |run| provision run }
    at_work.update_columns state: "running"
    over.update_columns state: "failed"

    assert_equal over.machines.to_a, @provider.leftovers
    @provider.sweep
    assert_empty @provider.leftovers
    assert_predicate at_work.machines.first.reload, :ready?
    assert_predicate over.machines.first.reload, :released?
  end

  test "another Testmaster's folder is not touched" do
    run = run_on(brokers: 1, clients: 0)
    loopback_hosts.hosts.each { |host| FileUtils.mkdir_p "#{host.home}/testmaster/run_#{run.id}/broker_0" }

    assert_match "belongs to another Testmaster", assert_raises(Machine::CommandFailed) { provision run }.message
    loopback_hosts.hosts.each { |host| File.write "#{host.home}/testmaster/run_#{run.id}/.owner", "somebody else" }
    run.machines.each(&:release)
    assert loopback_hosts.hosts.all? { |host| Dir.exist?("#{host.home}/testmaster/run_#{run.id}/broker_0") }
  ensure
    loopback_hosts.hosts.each { |host| FileUtils.rm_rf "#{host.home}/testmaster/run_#{run.id}" }
  end

  test "the first host key is kept, another is refused" do
    one, two, _ = loopback_hosts.hosts
    @provider.update! hosts: one.to_s
    machine = provision(run_on(brokers: 1, clients: 0)).first
    assert_equal [ [ "[127.0.1.1]:#{one.port}", one.host_key ] ], @provider.host_keys.pluck(:address, :key)

    @provider.host_keys.update_all key: two.host_key
    machine.close
    error = assert_raises(Machine::Refused) { machine.shell.execute "true" }
    assert_match "The host key of [127.0.1.1]:#{one.port} has changed", error.message
    assert_equal machine, error.machine

    @provider.update! known_hosts: "# new since May\n[127.0.1.9]:22,[127.0.1.1]:#{one.port} #{one.host_key} a comment"
    assert_predicate Machine.find(machine.id).shell, :alive?
  end

  test "refuses unknown hosts where it may not learn keys" do
    @provider.update! unknown_hosts: "refuse"

    assert_match "Unknown host key for",
      assert_raises(Machine::Refused) { provision run_on(brokers: 1, clients: 0) }.message
    assert_empty @provider.host_keys
  end

  test "a check describes each host or gives advice" do
    loopback_hosts.stop "127.0.1.2"
    File.rename "#{loopback_hosts.directory}/127.0.1.3/authorized_keys", "#{loopback_hosts.directory}/127.0.1.3/no_keys"
    good, away, strict = @provider.check

    assert_equal [ "ok", "failed", "failed" ], [ good, away, strict ].map(&:state)
    assert_match(/CPUs, .* GB, openjdk version .*, .* free, clock [+-]\d/, good.message)
    assert_match "refuses connections", away.message
    assert_match "Add this line to ~#{Etc.getpwuid.name}/.ssh/authorized_keys", strict.advice
    assert_equal loopback_hosts.hosts.map(&:to_s), [ good, away, strict ].map(&:subject)
  ensure
    File.rename "#{loopback_hosts.directory}/127.0.1.3/no_keys", "#{loopback_hosts.directory}/127.0.1.3/authorized_keys"
  end

  test "a check warns of little disk space" do
    loopback_hosts.shrink_disk "127.0.1.1", 1_000_000
    @provider.hosts = loopback_hosts.hosts.first.to_s

    assert_equal "warning", @provider.check.first.state
    assert_match "little disk space for logs", @provider.check.first.message
  ensure
    loopback_hosts.restore_disk "127.0.1.1"
  end

  test "invalid settings name their line" do
    provider = Provider::Ssh.new(name: "wrong",
      hosts: "10.0.0.1 broker\nroot@@10.0.0.2\n10.0.0.3:99999\n10.0.0.4 waiter\nadmin@10.0.0.1 # again",
      private_key: "no key",
      known_hosts: "|1|hashed ssh-ed25519 AAAA", folder: "a; rm -rf /")

    assert_not provider.valid?
    assert_equal [ "root@@10.0.0.2", "10.0.0.3:99999", "10.0.0.4 waiter" ],
      provider.errors[:hosts].filter_map { |error| error[/line that is no host: "(.+?)"/, 1] }
    assert_includes provider.errors[:hosts], "names 10.0.0.1 more than once"
    assert_equal [ "is no private key" ], provider.errors[:private_key]
    assert_match "without hashed names", provider.errors[:known_hosts].first
    assert_match "must be a path", provider.errors[:folder].first
    assert_match "must name at least one", Provider::Ssh.new(name: "none").tap(&:valid?).errors[:hosts].first
  end

  test "hosts may have user, port, IPv6 address and roles" do
    provider = Provider::Ssh.new(ssh_user: "admin", ssh_port: 2222,
      hosts: "10.0.0.1\r\nroot@big.example.org:22 broker, database\r\n[fe80::1]:23 client")

    assert_equal [ "admin@10.0.0.1:2222", "root@big.example.org:22", "admin@[fe80::1]:23" ],
      provider.host_list.map(&:to_s)
    assert_equal [ %w[ any ], %w[ broker database ], %w[ client ] ], provider.host_list.map(&:roles)
    assert_equal [ "[10.0.0.1]:2222", "big.example.org", "[fe80::1]:23" ], provider.host_list.map(&:address)
    assert_equal provider.host_list.map(&:address),
      provider.host_list.map { |host| Provider::Ssh::Host.parse(host.to_s).address }
  end

  test "secrets are hidden and encrypted" do
    @provider.update! passphrase: "open sesame"

    assert_no_match(/sesame|PRIVATE KEY/, @provider.inspect)
    assert_no_match(/sesame|PRIVATE KEY/,
      ActiveSupport::ParameterFilter.new(Rails.application.config.filter_parameters)
        .filter("provider" => @provider.settings).to_s)
    assert_no_match(/sesame|PRIVATE KEY/,
      Provider.connection.select_value("SELECT settings FROM providers WHERE id = #{@provider.id}"))
  end

  private
    def run_on(brokers:, clients:, provider: @provider, database: "embedded")
      TestRun.new(name: "On hosts", provider: provider, creator: users(:experimenter), database: database,
        broker_groups: [ Definition::BrokerGroup.new(scenario: "Broker", machine_count: brokers) ],
        client_groups: Array.new([ clients, 1 ].min) do
          Definition::ClientGroup.new(scenario: "OneWayClient", machine_count: clients)
        end).tap { |run| run.save! validate: false }
    end

    def provision(run)
      run.lay_out if run.machines.none?
      @provider.provision run.machines.to_a
      run.machines
    end

    def runs?(pid)
      File.read("/proc/#{pid}/stat").exclude?(") Z ")
    rescue Errno::ENOENT, Errno::ESRCH
      false
    end

    def home(machine)
      loopback_hosts[machine.host].home
    end
end
