require "test_helper"
require_relative "../../support/ec2_stubs"

class Provider::Ec2::ReleasingTest < ActiveSupport::TestCase
  include Ec2Stubs

  setup do
    @sshd = TCPServer.new("127.0.0.1", 0)
    @provider = ec2(ssh_port: @sshd.addr[1])
    @run = run_on(@provider)
    @provider.provision(machines_of(@run)) { }
    @broker, @client = @run.machines.reload.to_a
  end

  teardown { @sshd.close }

  test "the key pair goes with the last machine" do
    key_pairs << "tester-run-#{@run.id}"
    release_all @broker
    assert_equal 1, key_pairs.size

    release_all @client
    assert_equal [ [ "i-1" ], [ "i-2" ] ],
      requests(@provider, :terminate_instances).map { |request| request[:instance_ids] }
    assert_empty key_pairs
    assert_empty @provider.live_machines
  end

  test "an unknown instance counts as released" do
    @provider.client.stub_responses :terminate_instances, refusal("InvalidInstanceID.NotFound")

    assert_nothing_raised { @provider.release @broker }
  end

  test "an ended instance is released without permission" do
    @provider.client.stub_responses :terminate_instances, refusal("UnauthorizedOperation")
    assert_match(/lack a permission/, assert_raises(Provider::Ec2::Error) { @provider.release @broker }.message)

    instances["i-1"][:state] = { name: "terminated" }
    assert_nothing_raised { @provider.release @broker }
  end

  test "an instance without a stored id is found by tag" do
    @broker.update! reference: nil
    @provider.release @broker

    assert_equal "shutting-down", instances["i-1"][:state][:name]
    assert_equal "running", instances["i-2"][:state][:name]
  end

  test "machines of active runs are orphaned when expired" do
    assert_empty @provider.leftovers

    travel_to [ @broker, @client ].map(&:expires_at).max + 1.second
    assert_equal [ @broker, @client ], @provider.leftovers
  end

  test "the sweep releases machines of ended runs" do
    @run.update_columns state: "failed"
    @provider.sweep

    assert_empty @provider.live_machines
    assert_equal %w[ released ], @run.machines.reload.map(&:state).uniq
  end

  test "a failed termination does not stop the sweep" do
    @run.update_columns state: "failed"
    @provider.client.stub_responses :terminate_instances,
      ->(context) { context.params[:instance_ids] == [ "i-1" ] ? refusal("IncorrectInstanceState") : stop(context
        .params[:instance_ids]) }

    assert_raises(Provider::Ec2::Error) { @provider.sweep }
    assert_equal %w[ i-1 ], @provider.live_machines.map(&:reference)
  end

  test "a run that begins during a sweep keeps its machines" do
    while_run_begins_in_sweep do
      assert_empty @provider.leftovers
    end

    ours = { tags: [ { key: "testmaster:run", value: @run.id.to_s } ] }
    @provider.client.stub_responses :describe_key_pairs, key_pairs: [ { key_name: "ours", **ours } ]
    @provider.client.stub_responses :describe_security_groups, security_groups: [ { group_id: "sg-ours", **ours } ]
    @provider.client.stub_responses :delete_security_group, {}
    Machine.where(test_run: @run).update_all state: "released"
    deletions = -> { %i[ delete_key_pair delete_security_group ].sum { |it| requests(@provider, it).size } }
    assert_no_difference(deletions) { while_run_begins_in_sweep { @provider.sweep [] } }
  end

  test "new credentials must see the allocated machines" do
    seen = []
    Aws.config[:ec2] = { stub_responses: { describe_instances: ->(_) { { reservations: [ { instances: seen } ] } } } }

    assert_not @provider.update(access_key_id: "AKIAOTHER", secret_access_key: "secret")
    assert_equal [ "Access key cannot change to a place without the allocated machines: #{@broker.label} and " \
      "#{@client.label}" ], @provider.errors.full_messages
    seen << { instance_id: "i-1", state: { name: "running" } }
    assert @provider.update(access_key_id: "AKIAOTHER", secret_access_key: "secret"), @provider.errors.full_messages

    assert_not @provider.tap { seen.clear }.update(profile: "other")
    Machine.where(test_run: @run).update_all state: "released"
    assert @provider.update(profile: "other")
  end

  test "instances in no table are released by their tags" do
    @run.update_columns state: "failed"
    Machine.where(id: @run.machine_ids).each(&:destroy!)
    TestRun.find(@run.id).destroy!

    leftovers = @provider.leftovers
    assert_equal [ [ "i-1", "broker" ], [ "i-2", "client" ] ],
      leftovers.map { |machine| [ machine.reference, machine.role ] }
    @provider.sweep
    assert_empty @provider.live_machines
  end

  test "an unknown expired instance takes no run's machine" do
    instances["i-7"] = instances["i-1"].merge(instance_id: "i-7",
      tags: instances["i-1"][:tags].map { |tag| tag[:key] == "testmaster:expires-at" ? { **tag,
        value: 1.hour.ago.utc.iso8601 } : tag })
    @run.update_columns state: "running"
    @provider.sweep

    assert_equal "shutting-down", instances["i-7"][:state][:name]
    assert_equal %w[ i-1 i-2 ], @run.machines.reload.map(&:reference)
    assert_equal %w[ ready ], @run.machines.map(&:state).uniq
  end

  test "a lost machine does not stop collecting the others" do
    @broker.update! state: "released"
    collecting = TestRun::Phase::Collecting.new(@run.reload)
    collecting.define_singleton_method(:gather) { throw :gathered, true }
    collecting.define_singleton_method(:conclude) { }

    assert catch(:gathered) { collecting.perform }
    @client.update! state: "releasing"
    @run.reload
    assert_nil catch(:gathered) { collecting.perform }
  end

  test "machines of a run are released in parallel" do
    both = Concurrent::CountDownLatch.new(2)
    @provider.define_singleton_method(:part_with) do |machine|
      both.tap(&:count_down).wait(5) ? super(machine) : raise(Failure, "one waits for the other")
    end

    assert_empty @provider.release_all([ @broker, @client ])
    assert_equal %w[ released released ], @run.machines.reload.map(&:state)
    assert_empty key_pairs
  end

  test "the sweep removes unused key pairs and groups" do
    over = { tags: [ { key: "testmaster:run", value: "0" } ] }
    ours = { tags: [ { key: "testmaster:run", value: @run.id.to_s } ] }
    listed = [ { key_name: "old", **over }, { key_name: "new", **ours } ]
    @provider.client.stub_responses :describe_key_pairs,
      ->(context) { { key_pairs: listed
        .select { |pair| ([ pair[:key_name], "tester" ] & context.params[:filters].first[:values]).any? } } }
    @provider.client.stub_responses :delete_key_pair, {}
    @provider.client.stub_responses :describe_security_groups,
      security_groups: [ { group_id: "sg-old", **over }, { group_id: "sg-used", **over },
        { group_id: "sg-new", **ours } ]
    @provider.client.stub_responses :delete_security_group,
      ->(context) { context.params[:group_id] == "sg-used" ? refusal("DependencyViolation") : {} }
    before = requests(@provider, :delete_key_pair).size
    @provider.sweep

    assert_equal [ "old" ], requests(@provider, :delete_key_pair).drop(before).map { |request| request[:key_name] }
    assert_equal %w[ sg-old sg-used ], requests(@provider, :delete_security_group).map { |request| request[:group_id] }
  end

  test "a reclaimed spot instance explains the silence" do
    silence = Machine::Unreachable.new("it does not answer", machine: @broker)
    assert_same silence, @provider.explain(silence)

    instances["i-1"].merge! state: { name: "terminated" },
      state_reason: {
        code: "Server.SpotInstanceTermination", message: "Server.SpotInstanceTermination: Spot instance termination"
      }
    failure = @provider.explain(silence)
    assert_match(/\(i-1\) has ended: Server.SpotInstanceTermination/, failure.message)
    assert_match(/on demand/, failure.advice)

    @provider.client.stub_responses :describe_instances, refusal("RequestLimitExceeded")
    assert_same silence, @provider.explain(silence)
  end

  test "an ending instance explains the death of its JVM" do
    death = Failure.new("client_0 ended with exit code 143", machine: @client)
    assert_same death, @provider.explain(death)

    instances["i-2"].merge! state: { name: "shutting-down" },
      state_reason: {
        code: "Client.InstanceInitiatedShutdown",
        message: "Client.InstanceInitiatedShutdown: Instance initiated shutdown"
      }
    assert_match(/\(i-2\) has ended: Client.InstanceInitiatedShutdown/, @provider.explain(death).message)
  end

  test "ignores instances of other owners" do
    instances["i-9"] = instances["i-1"].merge(instance_id: "i-9",
      tags: [ { key: "testmaster:owner", value: "somebody else" }, { key: "testmaster:run", value: "0" } ])

    assert_equal [ @broker, @client ], @provider.live_machines
    assert_empty @provider.leftovers
  end

  private
    # Updates as another process does, which leaves the query cache of this one untouched.
    def while_run_begins_in_sweep
      set = ->(state) do
        TestRun.connection.raw_connection.exec "UPDATE test_runs SET state = '#{state}' WHERE id = #{@run.id}"
      end
      set.call "failed"
      @provider.define_singleton_method(:ec2) do |operation, **parameters|
        super(operation, **parameters).tap { set.call "running" }
      end
      TestRun.cache { yield }
    ensure
      @provider.singleton_class.remove_method :ec2
    end

    def release_all(machine)
      @provider.release machine
      machine.update! state: "released", released_at: Time.current
    end
end
