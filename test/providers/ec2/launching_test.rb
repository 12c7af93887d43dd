require "test_helper"
require "minitest/mock"
require_relative "../../support/ec2_stubs"

class Provider::Ec2::LaunchingTest < ActiveSupport::TestCase
  include Ec2Stubs

  setup do
    @sshd = TCPServer.new("127.0.0.1", 0)
    @provider = ec2(ssh_port: @sshd.addr[1])
    @run = run_on(@provider)
    @said = []
  end

  teardown { @sshd.close }

  test "instances are tagged, limited in time and closed" do
    provision

    asked = requests(@provider, :run_instances)
    assert_equal %w[ broker client ], @run.machines.reload.map(&:role)
    assert_equal %w[ i-1 i-2 ], @run.machines.map(&:reference)
    assert @run.machines.all?(&:ready?)
    assert_equal [ "terminate" ], asked.map { |request| request[:instance_initiated_shutdown_behavior] }.uniq
    assert_equal "10.0.0.1", @run.machines.first.address

    tags = asked.first[:tag_specifications].first[:tags].to_h { |tag| tag.values_at(:key, :value) }
    assert_equal({ "testmaster:owner" => "tester", "testmaster:run" => @run.id.to_s,
      "testmaster:machine" => @run.machines.first.id.to_s, "testmaster:role" => "broker",
      "testmaster:expires-at" => @run.machines.first.expires_at.utc.iso8601,
        "Name" => "test run #{@run.id} #{@run.machines.first.name}" }, tags)

    rules = requests(@provider, :authorize_security_group_ingress).flat_map { |request| request[:ip_permissions] }
    assert_equal [ "192.0.2.1/32" ], rules.filter_map { |rule| rule[:ip_ranges]&.first&.fetch(:cidr_ip) }
    assert_equal [ "sg-1" ], rules.filter_map { |rule| rule[:user_id_group_pairs]&.first&.fetch(:group_id) }
  end

  test "the key pair exists only while instances start" do
    provision

    name = "tester-run-#{@run.id}"
    assert_equal [ name ], requests(@provider, :import_key_pair).map { |request| request[:key_name] }
    assert_match(/\Assh-rsa AAAA/, requests(@provider, :import_key_pair).first[:public_key_material])
    assert_empty key_pairs
  end

  test "a second call starts nothing twice" do
    provision
    provision

    assert_equal 2, requests(@provider, :run_instances).size
  end

  test "a lost response repeats the same request" do
    machine = @run.machines.first
    provision
    first = requests(@provider, :run_instances).first
    machine.reload.update! reference: nil, host: nil, state: "provisioning"
    travel 5.minutes
    provision

    assert_equal first, requests(@provider, :run_instances).last
  end

  test "finds a started instance by its token" do
    provision
    machine = @run.machines.first
    machine.reload.update! reference: nil, host: nil, state: "provisioning"
    @provider.client.stub_responses :run_instances, refusal("IdempotentParameterMismatch")
    provision

    assert_equal "i-1", machine.reload.reference
  end

  test "a full zone is left with all machines" do
    fail_in = lambda do |context|
      zone = context.params[:network_interfaces].first[:subnet_id]
      instances.size == 1 && zone == "subnet-a" ? refusal("InsufficientInstanceCapacity") : {
        instances: [ start(context.params) ]
      }
    end
    @provider.client.stub_responses :run_instances, fail_in
    provision

    assert_equal "shutting-down", instances["i-1"][:state][:name]
    assert_equal %w[ i-2 i-3 ], @run.machines.reload.map(&:reference)
    assert_equal %w[ subnet-a subnet-a subnet-b subnet-b ],
      requests(@provider, :run_instances).map { |request| request[:network_interfaces].first[:subnet_id] }
    assert_equal 4, requests(@provider, :run_instances).map { |request| request[:client_token] }.uniq.size
    assert said?(/us-east-1a does not take the machines: There is no capacity.*Trying us-east-1b/)
  end

  test "a reclaimed instance counts as no capacity" do
    @provider.client.stub_responses :run_instances, lambda { |context|
      instance = start(context.params)
      if context.params[:network_interfaces].first[:subnet_id] == "subnet-a"
        instance.merge! state: { name: "terminated" },
          state_reason: {
            code: "Server.InsufficientInstanceCapacity", message: "Server.InsufficientInstanceCapacity: none left"
          }
      end
      { instances: [ instance ] }
    }
    provision

    assert_equal "subnet-b", requests(@provider, :run_instances).last[:network_interfaces].first[:subnet_id]
    assert @run.machines.reload.all?(&:ready?)
  end

  test "no capacity anywhere names the zones" do
    @provider.client.stub_responses :run_instances,
      refusal("InsufficientInstanceCapacity", "We do not have sufficient c6i.large capacity.")

    error = assert_raises(Provider::Ec2::Error) { provision }
    assert_match(/None of us-east-1a, us-east-1b, and us-east-1c takes the machines.*sufficient c6i.large capacity/,
      error.message)
    assert_match(/another region/, error.advice)
  end

  { "VcpuLimitExceeded" => [ /quota/, /Service Quotas/ ], "InstanceLimitExceeded" => [ /quota/, /Service Quotas/ ],
    "MaxSpotInstanceCountExceeded" => [ /quota/, /Spot/ ],
    "UnauthorizedOperation" => [ /lack a permission/, %r{docs/reference/ec2.md} ],
      "InvalidAMIID.NotFound" => [ /image does not exist/, /region/ ],
      "AuthFailure" => [ /does not accept these credentials/, /secret/ ],
    "RequestLimitExceeded" => [ /too many requests/, /Wait/ ], "RequestExpired" => [ /expired/, /clock/ ],
      "OptInRequired" => [ /not signed up/, /AWS console/ ] }.each do |code, (message, advice)|
    test "#{code} ends the launch with advice" do
      @provider.client.stub_responses :run_instances,
        refusal(code, "You may not. Encoded authorization failure message: #{"x" * 700}")

      error = assert_raises(Provider::Ec2::Error) { provision }
      assert_match message, error.message
      assert_match advice, error.advice
      assert_no_match "xxx", error.message
      assert_equal 1, requests(@provider, :run_instances).size
    end
  end

  test "spot instances are one-time with a maximum price" do
    @provider.update! market: "spot", maximum_price: "0.05"
    play @provider.client
    provision

    options = requests(@provider, :run_instances).first[:instance_market_options]
    assert_equal({ market_type: "spot",
      spot_options: { spot_instance_type: "one-time", instance_interruption_behavior: "terminate",
        max_price: "0.05" } }, options)
  end

  test "a spot instance reclaimed while booting says so" do
    @provider.client.stub_responses :run_instances, lambda { |context|
      {
        instances: [ start(context.params).merge!(state: { name: "terminated" },
          state_reason: { code: "Server.SpotInstanceTermination",
            message: "Server.SpotInstanceTermination: Spot instance termination" }) ]
      }
    }

    error = assert_raises(Provider::Ec2::Error) { provision }
    assert_match(/broker.* \(i-1\) has ended: Server.SpotInstanceTermination/, error.message)
    assert_match(/on demand/, error.advice)
    assert_equal @run.machines.first, error.machine
  end

  test "an instance that never runs times out" do
    @provider.update! boot_timeout: 10
    play @provider.client
    @provider.client.stub_responses :run_instances,
      ->(context) { { instances: [ start(context.params).merge!(state: { name: "pending" }) ] } }
    @provider.define_singleton_method(:servers_of) do |machines|
      super(machines).tap { machines.each { |machine| machine.provisioned_at -= 6 } }
    end

    error = assert_raises(Provider::Ec2::Error) { provision }
    assert_match(/is not ready after 10 s: it is pending/, error.message)
  end

  test "cancelling ends the wait" do
    @provider.client.stub_responses :run_instances,
      ->(context) { { instances: [ start(context.params).merge!(state: { name: "pending" }) ] } }
    @run.update_columns cancelled_at: Time.current

    assert_raises(Cancelled) { provision }
  end

  test "cancelling takes effect between two instances" do
    @provider.client.stub_responses :run_instances,
      ->(context) { @run.update_columns(cancelled_at: Time.current) && { instances: [ start(context.params) ] } }

    assert_raises(Cancelled) { provision }
    assert_equal 1, instances.size
  end

  test "checks all types before renting" do
    @run.machines.last.update! instance_type: "c6i.nonsense"
    known = { instance_types: [ { processor_info: { supported_architectures: [ "x86_64" ] } } ] }
    @provider.client.stub_responses :describe_instance_types,
      ->(context) { context.params[:instance_types] == [ "c6i.large" ] ? known : refusal("InvalidInstanceType") }

    assert_match "type does not exist", assert_raises(Provider::Ec2::Error) { provision }.message
    assert_empty instances
  end

  test "uses named resources and makes none" do
    @provider.update! key_name: "mine", private_key: OpenSSL::PKey::RSA.generate(2048).to_pem,
      security_group: "sg-mine", subnet: "subnet-b", placement_group: "close", address: "private", disk_size: 50
    play @provider.client
    @provider.client.stub_responses :describe_subnets,
      subnets: [ { subnet_id: "subnet-b", availability_zone: "us-east-1b", vpc_id: "vpc-2" } ]
    instances_answer_on_loopback
    provision

    asked = requests(@provider, :run_instances).first
    assert_equal "mine", asked[:key_name]
    assert_equal [ { device_index: 0, subnet_id: "subnet-b", groups: [ "sg-mine" ],
      associate_public_ip_address: false } ], asked[:network_interfaces]
    assert_equal({ group_name: "close" }, asked[:placement])
    assert_equal 50, asked[:block_device_mappings].first[:ebs][:volume_size]
    assert_empty requests(@provider, :import_key_pair) + requests(@provider, :create_security_group)
    assert_empty requests(@provider, :delete_key_pair)
  end

  test "a group's type takes precedence" do
    @provider.update! database_instance_type: "r6i.large"
    play @provider.client
    run = run_on(@provider, database: "machine")
    run.machines.find_by!(role: "client").update! instance_type: "c6i.xlarge"
    provision run

    assert_equal({ "database" => "r6i.large", "broker" => "c6i.large", "client" => "c6i.xlarge" },
      run.machines.reload.to_h { |machine| [ machine.role, machine.instance_type ] })
  end

  test "takes the newest image that fits" do
    @provider.client.stub_responses :describe_images,
      images: [ Ec2Stubs::IMAGE, Ec2Stubs::IMAGE.merge(image_id: "ami-0newer", creation_date: "2026-11-20T00:00:00Z") ]
    assert_equal "ami-0newer", @provider.image_for("c6i.large").image_id

    @provider.update! image: "ami-0arm", disk_size: 8
    play @provider.client
    @provider.client.stub_responses :describe_images,
      images: [ Ec2Stubs::IMAGE.merge(image_id: "ami-0arm", architecture: "arm64") ]
    assert_match(/made for arm64, c6i.large has x86_64/,
      assert_raises(Provider::Ec2::Error) { @provider.image_for("c6i.large") }.message)
  end

  test "no image and no network come with advice" do
    @provider.client.stub_responses :describe_images, images: []
    assert_match(/no image of 136693071363 named debian-12/, assert_raises(Provider::Ec2::Error) { provision }.message)

    @provider.client.stub_responses :describe_subnets, subnets: []
    assert_match(/Name a subnet/, assert_raises(Provider::Ec2::Error) { provision }.advice)
  end

  test "missing credentials come with advice" do
    Aws.config.delete :ec2
    with_environment "AWS_ACCESS_KEY_ID" => nil, "AWS_SECRET_ACCESS_KEY" => nil, "AWS_PROFILE" => nil,
      "AWS_EC2_METADATA_DISABLED" => "true", "AWS_CONFIG_FILE" => "/nonexistent",
      "AWS_SHARED_CREDENTIALS_FILE" => "/nonexistent" do
      error = assert_raises(Provider::Ec2::Error) { Provider::Ec2.find(@provider.id).provision(machines_of(@run)) }
      assert_match(/no credentials/, error.message)
      assert_match(/access key.*profile/, error.advice)
    end
  end

  test "an unreachable endpoint is named" do
    Aws.config.delete :ec2
    @provider.update! endpoint: "http://127.0.0.1:1", access_key_id: "AKIATEST", secret_access_key: "hushhush"
    error = stub_sleep do
      assert_raises(Provider::Ec2::Error) { Provider::Ec2.find(@provider.id).provision(machines_of(@run)) }
    end

    assert_match(/EC2 cannot be reached.*127\.0\.0\.1:1/, error.message)
    assert_no_match "hushhush", [ error.message, error.advice, error.full_message ].join
  end

  private
    def provision(run = @run, *answers)
      @provider.provision(machines_of(run.reload, *answers)) { |message, machine| @said << message }
    end

    def said?(pattern)
      @said.any?(pattern)
    end

    def instances_answer_on_loopback
      @provider.client.stub_responses :run_instances,
        ->(context) { { instances: [ start(context.params).merge!(private_ip_address: "127.0.0.1") ] } }
    end

    # Skips the pauses between the SDK's attempts.
    def stub_sleep(&block)
      Kernel.stub(:sleep, nil, &block)
    end

    def with_environment(changes)
      before = changes.keys.to_h { |name| [ name, ENV[name] ] }
      ENV.update changes
      yield
    ensure
      ENV.update before
    end
end
