require "test_helper"
require "minitest/mock"
require_relative "../../support/ec2_stubs"

class Provider::Ec2::CheckableTest < ActiveSupport::TestCase
  include Ec2Stubs

  DRY = %i[ run_instances import_key_pair create_security_group terminate_instances ]

  setup do
    @provider = ec2
    DRY.each { |operation| @provider.client.stub_responses operation, refusal("DryRunOperation") }
  end

  test "a check starts and makes nothing" do
    findings = @provider.check

    assert findings.all?(&:ok?), findings.reject(&:ok?).inspect
    assert_equal [ "zones us-east-1a, us-east-1b, and us-east-1c", "debian-12-amd64-20261101-1 (ami-0debian)" ],
      findings.first(2).map(&:message)
    DRY.each do |operation|
      assert_equal [ true ], requests(@provider, operation).map { |request| request[:dry_run] }.uniq
    end
  end

  test "a missing permission is named and ends the check" do
    @provider.client.stub_responses :run_instances,
      refusal("UnauthorizedOperation",
        "You are not authorized to perform this operation. User: arn:aws:iam::1:user/x is not authorized to perform: " \
          "ec2:RunInstances")
    findings = @provider.check

    assert_equal "permission to start instances", findings.last.subject
    assert_equal "failed", findings.last.state
    assert_match(/lack a permission \(RunInstances: .*ec2:RunInstances/, findings.last.message)
    assert_match "docs/reference/ec2.md", findings.last.advice
    assert_empty requests(@provider, :terminate_instances)
  end

  test "refused credentials are found first" do
    @provider.client.stub_responses :describe_subnets, refusal("AuthFailure")

    assert_equal [ [ "credentials and network", "failed" ] ],
      @provider.check.map { |finding| [ finding.subject, finding.state ] }
  end

  test "finds wrong image, type and placement group" do
    @provider.client.stub_responses :describe_images, images: []
    assert_match(/no image/, @provider.check.last.message)

    checked instance_type: "x99.huge"
    assert_match(/no price of x99.huge/, @provider.check.last.message)

    checked instance_type: "", placement_group: "close"
    @provider.client.stub_responses :describe_placement_groups, refusal("InvalidPlacementGroup.Unknown")
    assert_match(/placement group does not exist/, @provider.check.last.message)
  end

  test "an unknown own address fails the check" do
    checked ssh_from: "here"
    Net::HTTP.stub(:start, ->(*, **) { raise SocketError, "no such name" }) do
      assert_equal [ "address that may use SSH", "failed" ],
        @provider.check.last.then { |finding| [ finding.subject, finding.state ] }
    end
  end

  test "an unknown trial instance proves the permission" do
    @provider.client.stub_responses :terminate_instances, refusal("InvalidInstanceID.NotFound")

    assert @provider.check.last.ok?
  end

  test "a policy for tagged instances is a warning" do
    @provider.client.stub_responses :terminate_instances, refusal("UnauthorizedOperation")

    assert_equal [ "permission to terminate instances", "warning" ],
      @provider.check.last.then { |finding| [ finding.subject, finding.state ] }
    assert_match(/tagged instances only/, @provider.check.last.to_s)
  end

  private
    def checked(**settings)
      @provider.update!(**settings)
      play @provider.client
    end
end
