require "test_helper"
require_relative "contract"
require_relative "../support/ec2_lookalike"
require_relative "../support/nimbus"

# Tests each kind of provider against the contract.
module ProviderContract::OneOfEach
  private
    def run_on_it
      TestRun.create!(name: "Of the contract", provider: @provider, creator: users(:experimenter),
        state: "provisioning", duration: 60, database: database,
        broker_groups: [ Definition::BrokerGroup.new(scenario: "Broker") ],
        client_groups: [ Definition::ClientGroup.new(scenario: "OneWayClient") ]).tap(&:lay_out)
    end

    def database
      "embedded"
    end
end

class Provider::LocalContractTest < ActiveSupport::TestCase
  include ProviderContract, ProviderContract::OneOfEach

  setup do
    Machine.update_all state: "released" # the machines of the fixtures
    TestRun.where(state: "running").update_all state: "finished"
    @provider = providers(:local)
  end

  teardown { @provider.release_all @provider.machines.held.where("id > 0").to_a.select(&:test_run) }
end

class Provider::SshContractTest < ActiveSupport::TestCase
  include ProviderContract, ProviderContract::OneOfEach, LoopbackHostsHelper

  setup do
    @provider = Provider::Ssh.create!(name: "hosts", hosts: loopback_hosts.hosts.join("\n"),
      private_key: File.read(loopback_hosts.client_key_path))
  end
  teardown { @provider.release_all @provider.machines.held.to_a }
end

class Provider::Ec2ContractTest < ActiveSupport::TestCase
  include ProviderContract, ProviderContract::OneOfEach

  setup do
    @cloud = Ec2Lookalike.new(Dir.mktmpdir("ec2")).start
    @provider = Provider::Ec2.create!(name: "cloud", owner: "tester", **@cloud.settings).tap do |provider|
      provider.poll_interval = 0.05
    end
  end
  teardown { @cloud.stop }

  private
    def database
      "machine"
    end
end

class Provider::NimbusContractTest < ActiveSupport::TestCase
  include ProviderContract, ProviderContract::OneOfEach, OnNimbus

  private
    def database
      "machine"
    end
end

class Provider::NimbusPagesTest < ActionDispatch::IntegrationTest
  include OnNimbus

  setup { sign_in_as users(:administrator) }

  test "pages and definitions support another cloud" do
    get settings_section_path("providers")
    assert_select "a", text: "Add NIMBUS"
    assert_select "td", text: "Rented for the run, then ended; paid until a sweep where it ended itself"

    get new_settings_provider_path(kind: "nimbus")
    assert_select "[name='provider[limit_hours]']"

    get new_test_run_path
    assert_select "input[data-rented=true][value='#{@provider.id}']"

    run = TestRun.from_definition("name" => "Up there", "provider" => "nimbus",
      "brokers" => [ { "scenario" => "Broker" } ], "clients" => [ { "scenario" => "OneWayClient" } ])
    assert_not run.valid?
    assert_match "rented machines cannot reach the embedded one", run.errors[:database].sole
    run.database = "machine"
    assert_predicate run.tap(&:validate).errors[:database], :empty?
    assert_operator run.definition.estimated_cost, :positive?
  end
end
