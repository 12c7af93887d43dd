require "test_helper"
require "minitest/mock"
require_relative "../../support/ec2_stubs"

class Provider::Ec2::AccessTest < ActiveSupport::TestCase
  include Ec2Stubs

  setup { @sshd = TCPServer.new("127.0.0.1", 0) }
  teardown { @sshd.close }

  test "SSH is open from our public address" do
    Net::HTTP.stub(:start, ->(*, **) { "198.51.100.7" }) do
      assert_equal [ "198.51.100.7/32" ], opened_from(ec2(ssh_from: "here", ssh_port: @sshd.addr[1]))
    end
  end

  test "SSH is open from our private address in the network" do
    provider = ec2(ssh_from: "here", address: "private", ssh_port: @sshd.addr[1])
    provider.client.stub_responses :run_instances,
      ->(context) { { instances: [ start(context.params).merge!(private_ip_address: "127.0.0.1") ] } }
    provider.client.stub_responses :describe_subnets,
      subnets: [ { subnet_id: "subnet-a", availability_zone: "us-east-1a", vpc_id: "vpc-1",
        cidr_block: "127.0.0.0/20" } ]

    assert_equal [ "127.0.0.1/32" ], opened_from(provider)
  end

  test "an unknown own address fails the launch" do
    provider = ec2(ssh_from: "here")
    error = Net::HTTP.stub(:start, ->(*, **) { raise SocketError, "no such name" }) do
      assert_raises(Provider::Ec2::Error) { opened_from(provider) }
    end

    assert_match(/public address cannot be found out: no such name/, error.message)
    assert_match(/Set 'ssh from'/, error.advice)
    assert_empty instances
  end

  test "reuses groups and rules of an earlier attempt" do
    provider = ec2(ssh_port: @sshd.addr[1])
    provider.client.stub_responses :create_security_group, refusal("InvalidGroup.Duplicate")
    provider.client.stub_responses :describe_security_groups, security_groups: [ { group_id: "sg-earlier" } ]
    provider.client.stub_responses :authorize_security_group_ingress, refusal("InvalidPermission.Duplicate")
    provider.client.stub_responses :import_key_pair, refusal("InvalidKeyPair.Duplicate")
    opened_from(provider)

    assert_equal [ "sg-earlier" ], requests(provider, :run_instances).first[:network_interfaces].first[:groups]
  end

  private
    def opened_from(provider)
      provider.provision(machines_of(run_on(provider))) { }
      requests(provider,
        :authorize_security_group_ingress).flat_map { |request| request[:ip_permissions] }.filter_map do |rule|
          rule[:ip_ranges]&.first&.fetch(:cidr_ip)
        end
    end
end
