require "test_helper"

# Runs without a transaction, so that two threads can reserve at once.
class Provider::Ssh::ReservingTest < ActiveSupport::TestCase
  include LoopbackHostsHelper

  self.use_transactional_tests = false

  setup do
    @provider = Provider::Ssh.create!(name: "contested", hosts: loopback_hosts.hosts.join("\n"),
      private_key: File.read(loopback_hosts.client_key_path),
      known_hosts: loopback_hosts.hosts.map { |host| "[#{host.address}]:#{host.port} #{host.host_key}" }.join("\n"))
  end

  teardown do
    @provider.machines.held.each(&:release)
    @provider.test_runs.destroy_all
    @provider.destroy!
  end

  test "one of two concurrent runs gets all its hosts" do
    first, second = Array.new(2) { run_on_two_hosts }
    later = nil

    Provider.transaction do
      assert_equal :provided, attempt(first)
      later = Thread.new { attempt second }
      await { !later.alive? || blocked_by_us? }
    end

    assert_equal :refused, later.value
    assert_equal [ 2, 0 ], [ first, second ].map { |run| run.machines.held.count }
  end

  private
    def run_on_two_hosts
      TestRun.from_definition("name" => "Contested", "provider" => "contested",
        "brokers" => [ { "scenario" => "Broker" } ], "clients" => [ { "scenario" => "OneWayClient" } ])
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

    def blocked_by_us?
      ApplicationRecord.uncached { ApplicationRecord
        .connection.select_value("SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY " \
          "(pg_blocking_pids(pid))") }.positive?
    end
end
