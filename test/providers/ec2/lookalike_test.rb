require "test_helper"
require "minitest/mock"
require_relative "../../support/ec2_lookalike"

# Tests the provider against an HTTP server whose instances accept logins.
class Provider::Ec2::LookalikeTest < ActiveSupport::TestCase
  setup do
    @cloud = Ec2Lookalike.new(Dir.mktmpdir("ec2")).start
    @provider = Provider::Ec2.create!(name: "cloud", owner: "tester", **@cloud.settings).tap do |provider|
      provider.poll_interval = 0.05
    end
    @run = TestRun.create!(name: "On EC2", provider: @provider, creator: users(:experimenter), state: "provisioning",
      duration: 60, database: "machine",
      broker_groups: [ Definition::BrokerGroup.new(scenario: "Broker") ],
      client_groups: [ Definition::ClientGroup.new(scenario: "OneWayClient") ]).tap(&:lay_out)
    @said = []
  end

  teardown { @cloud.stop }

  test "instances boot, accept logins and end" do
    provision
    broker = @run.machines.reload.find(&:ready?)
    instance = @cloud.instances.fetch(broker.reference)

    assert @run.machines.all?(&:ready?)
    assert_equal 3, @run.machines.map(&:host).uniq.size
    assert_equal "#{instance.address}\n", broker.shell.execute!("echo ${SSH_CONNECTION}").output.split[2] + "\n"
    assert_equal [ @cloud.hosts[broker.host].host_key.split.first(2).join(" ") ], broker.host_keys
    assert_match "install openjdk-17-jre-headless", instance.note("apt-get")
    assert_in_delta (broker.expires_at - Time.current) / 60, instance.note("shutdown")[/\+(\d+)/, 1].to_i, 1
    assert_match "apt-daily.timer", instance.note("systemctl")
    assert_match "testmaster: ready", instance.console
    assert_empty @cloud.key_pairs

    @run.machines.each(&:release)
    @cloud.instances.each_value(&:join)
    assert_empty @cloud.living
    assert_raises(Machine::Unreachable) { broker.shell.execute("true", timeout: 1) }

    @run.update_columns state: "finished"
    @provider.sweep
    assert_empty @cloud.security_groups
  end

  test "repeats a throttled request" do
    @cloud.refuse "RunInstances", "RequestLimitExceeded", times: 2
    Kernel.stub(:sleep, nil) { provision } # skips the pauses between the SDK's attempts

    assert_equal 5, @cloud.requests.count { |request| request["Action"] == "RunInstances" }
    assert_equal 3, @cloud.living.size
  end

  test "all machines go to the zone with capacity" do
    @cloud.refuse "RunInstances", "InsufficientInstanceCapacity", zone: "a"
    provision

    assert_equal %w[ us-east-1b ], @cloud.living.map(&:zone).uniq
    assert @said.any?(/us-east-1a does not take the machines/)
  end

  test "a lost response reuses the started instance" do
    provision
    @run.machines.reload.first.update! reference: nil, host: nil, state: "provisioning"
    provision

    assert_equal 3, @cloud.instances.size
    assert @run.machines.reload.all?(&:ready?)
  end

  test "finds unknown instances by their tags" do
    provision
    @run.update_columns state: "failed"
    Machine.where(id: @run.machine_ids).each(&:destroy!)
    TestRun.find(@run.id).destroy!
    Provider::Sweep.perform

    @cloud.instances.each_value(&:join)
    assert_empty @cloud.living
  end

  test "the check accepts known keys and refuses others" do
    assert @provider.check.all?(&:ok?), @provider.check.join("\n")
    assert_empty @cloud.instances

    @provider.update! access_key_id: "AKIASOMEBODYELSE"
    assert_match(/does not accept these credentials/, @provider.check.last.message)
  end

  private
    def provision
      @provider.provision(@run.machines.to_a) { |message, machine| @said << message }
    end
end
