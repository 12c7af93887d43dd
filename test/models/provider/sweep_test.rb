require "test_helper"

class Provider::SweepTest < ActiveSupport::TestCase
  setup { @left = machines(:finished_local).tap { |machine| machine.update! state: "ready" } }

  test "a provider is swept by one sweep at a time" do
    pg = ApplicationRecord.connection.raw_connection
    other = PG.connect(host: pg.host, port: pg.port, user: pg.user, password: pg.pass, dbname: pg.db)
    other.exec "SELECT pg_advisory_lock(#{providers(:local).send(:lock_key)})"

    assert_match "is being swept already", Provider::Sweep.perform.complaints.sole
    assert_predicate @left.reload, :ready?
  ensure
    other.exec "SELECT pg_advisory_unlock_all()" # the server may notice the end of a connection late
    other.close
  end

  test "one failed release does not stop the others" do
    second, third = Array.new(2) do |n|
      Machine.create!(name: "other_#{n}", role: "all", provider: @left.provider, state: "ready")
    end
    all_begun = Concurrent::CountDownLatch.new(3)
    slow = Module.new do
      define_method(:release) do |machine|
        all_begun.count_down
        raise Failure, "one waits for the other" unless all_begun.wait(60)
        raise Machine::Unreachable, "no answer" if machine == third
      end
    end
    Provider::Local.prepend slow
    sweep = Provider::Sweep.perform

    assert_equal [ @left, second ], sweep.released.sort_by(&:name)
    assert_equal [ "local: no answer." ], sweep.complaints
    assert_equal %w[ released released releasing ], [ @left, second, third ].map { |machine| machine.reload.state }
  ensure
    slow.remove_method :release
  end
end

class Provider::FailingSweepTest < ActionDispatch::IntegrationTest
  setup do
    @provider = providers(:local)
    test = self
    @failing = Module.new do
      define_method(:leftovers) { (reason = test.reason) ? raise(*reason) : super() }
    end
    Provider::Local.prepend @failing
    users(:administrator).create_webhook! url: "https://example.org/hook"
  end

  teardown { @failing.remove_method :leftovers }

  test "a lasting failure is shown and sent once" do
    @reason = [ Failure, "the cloud refuses the key" ]
    Provider::Sweep.perform
    assert_equal [ "the cloud refuses the key", nil ], @provider.reload.then { |it| [ it.sweep_error, it.swept_at ] }
    assert_empty Webhook::Delivery.all, "one failure sends no webhook yet"

    travel 11.minutes
    2.times { Provider::Sweep.perform }
    message = JSON.parse(Webhook::Delivery.sole.body)
    assert_equal [ "sweep.failing", "local", "the cloud refuses the key" ],
      [ message["event"], *message["provider"].values_at("name", "reason") ]
    sign_in_as users(:viewer)
    [ machines_path, test_runs_path ].each do |page|
      get page
      assert_select ".note--bad[role=alert]", /local cannot be swept since .*the cloud refuses the key/m
    end

    @reason = nil
    Provider::Sweep.perform
    assert_equal [ nil, nil ], @provider.reload.then { |it| [ it.sweep_error, it.sweep_failing_since ] }
    get machines_path
    assert_select ".note--bad", 0
  end

  test "an unexpected error does not stop other providers" do
    other = Provider::Ssh.create!(name: "lab", hosts: "127.0.0.9", private_key: nil)
    @reason = [ KeyError, "no such key" ]
    sweep = Provider::Sweep.perform

    assert_equal [ "local: KeyError: no such key." ], sweep.complaints
    assert_not_nil other.reload.swept_at
  end

  attr_reader :reason
end
