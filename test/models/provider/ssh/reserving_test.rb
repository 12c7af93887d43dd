require "test_helper"

# Outside of a transaction, so that two can be at it at once.
class Provider::Ssh::ReservingTest < ActiveSupport::TestCase
  include LoopbackHostsHelper

  self.use_transactional_tests = false

  setup { @provider = Provider::Ssh.create!(name: "contested", hosts: loopback_hosts.hosts.join("\n"), private_key: File.read(loopback_hosts.client_key_path)) }

  teardown do
    @provider.machines.held.each(&:release)
    @provider.test_runs.destroy_all
    @provider.destroy!
  end

  test "of two runs that reach for the same hosts at the same moment one gets all it needs and the other none" do
    runs = Array.new(2) { run_on_two_hosts }
    start = Queue.new
    outcomes = runs.map { |run| Thread.new { start.pop; attempt run } }.tap { 2.times { start << true } }.map(&:value)

    assert_equal [ :provided, :refused ], outcomes.sort
    assert_equal [ 0, 2 ], runs.map { |run| run.machines.held.count }.sort
    assert_equal 2, @provider.machines.held.distinct.count(:host)
  end

  private
    def run_on_two_hosts
      TestRun.from_definition("name" => "Contested", "provider" => "contested", "brokers" => [ { "scenario" => "Broker" } ], "clients" => [ { "scenario" => "OneWayClient" } ])
        .tap { |run| run.update! creator: users(:experimenter) }.tap(&:lay_out)
    end

    def attempt(run)
      ApplicationRecord.connection_pool.with_connection do
        Provider::Ssh.find(@provider.id).provision run.machines.to_a
        :provided
      end
    rescue Provider::Error
      :refused
    end
end
