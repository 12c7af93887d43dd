require "test_helper"
require_relative "../../support/ec2_stubs"

class Provider::Ec2::PricingTest < ActiveSupport::TestCase
  include Ec2Stubs

  # Tests run at noon, as almost nothing can have been spent today just after midnight.
  setup { travel_to Time.current.utc.noon }

  setup do
    @provider = ec2(instance_type: "m5.large", region: "us-east-1", disk_size: 73, address: "private", limit_run: "5",
      limit_day: "20")
  end

  test "an hour costs instance, disk and address" do
    assert_equal 0.104.to_d, @provider.hourly_price("m5.large") # 0.096 + 73 GB of 0.08 USD a month

    @provider.update! region: "eu-west-1"
    assert_equal 0.1165.to_d, @provider.hourly_price("m5.large")
    @provider.update! region: "somewhere-1"
    assert_equal 0.176.to_d, @provider.hourly_price("m5.large")
    @provider.update! region: "us-east-1", address: "public"
    assert_equal 0.109.to_d, @provider.hourly_price("m5.large")
    assert_nil @provider.hourly_price("x99.huge")
  end

  test "knows the types of the studies" do
    assert_equal [ 0.052, 0.095, 0.183, 0.358, 0.075, 0.141, 0.274, 0.54 ].map(&:to_d),
      %w[ m1.small m1.medium m1.large m1.xlarge m3.medium m3.large m3.xlarge m3.2xlarge ].map { |type|
        @provider.hourly_price(type)
      }
  end

  test "a price of the provider comes before the table and knows further types" do
    @provider.update! type_prices: "m5.large 0.05, x99.huge 2.5", region: "eu-west-1"

    assert_equal [ 0.058.to_d, 2.508.to_d ], [ @provider.hourly_price("m5.large"), @provider.hourly_price("x99.huge") ]
    assert_nil @provider.hourly_price("x99.large")
    [ "x99.huge", "x99.huge 0", "x99.huge 0.00", "x99.huge 1 x9.large 2" ].each do |prices|
      assert_not @provider.update(type_prices: prices), prices
      assert_match "must be types with USD an hour above 0", @provider.errors.full_messages.to_sentence
    end
  end

  test "the cost of a type without a price is unknown, not zero" do
    @provider.update! instance_type: "x99.huge"
    assert_nil draft.definition.estimated_cost
    assert_equal [ "x99.huge" ], draft.definition.types_without_price
  end

  test "a run at work whose price is gone counts as what the provider allows for a run" do
    run = run_on(@provider, state: "running", duration: 3000)
    run.client_groups.each { |group| group.instance_type = "x99.huge" }
    run.save! validate: false

    assert_refused(Regexp.new("will cost 18\\.00 USD more; the provider allows 20\\.00 USD for a day"),
      draft(duration: 3000, clients: 20), limit_run: "18")
  end

  test "spot is costed at its maximum price" do
    @provider.update! market: "spot"
    assert_equal 0.104.to_d, @provider.hourly_price("m5.large")
    @provider.update! maximum_price: "0.05"
    assert_equal 0.058.to_d, @provider.hourly_price("m5.large")
  end

  test "estimates a run by machines and length" do
    run = draft(brokers: 2, clients: 7, database: "machine", duration: 3000)

    assert_equal 1.04.to_d, run.definition.estimated_cost # ten machines for an hour
    assert_equal 0, test_runs(:draft).definition.estimated_cost
  end

  test "cost so far counts each machine's time" do
    freeze_time
    run = run_on(@provider)
    run.machines.first.update! hourly_price: 0.6, provisioned_at: 2.hours.ago, released_at: 1.hour.ago
    run.machines.second.update! hourly_price: 0.6, provisioned_at: 10.seconds.ago, released_at: 5.seconds.ago

    assert_equal 0.61.to_d, run.reload.cost
    run.machines.second.update! provisioned_at: 30.minutes.ago, released_at: nil
    assert_equal 0.9.to_d, run.reload.cost
  end

  test "refuses a run beyond the limit of a run" do
    assert_refused(/would cost about 6\.24 USD \(60 instances\); the provider allows 5\.00 USD for a run/,
      draft(clients: 59, duration: 3000), limit_instances: 100)
  end

  test "refuses a run beyond the limit of the day" do
    travel_to Time.utc(2026, 11, 21, 12)
    earlier = run_on(@provider, state: "finished")
    earlier.machines.first.update! hourly_price: 2, provisioned_at: 24.hours.ago,
      released_at: 2.hours.ago # of which ten hours are today
    run_on(@provider, state: "running", duration: 3000)

    assert_refused(Regexp.new("would cost about 0\\.21 USD; today's runs have cost 20\\.00 USD and will cost " \
      "0\\.21 USD more; the provider allows 20\\.00 USD for a day"), draft(duration: 3000))
  end

  test "deleted runs still count today" do
    travel_to Time.utc(2026, 11, 21, 12)
    spent = Array.new(2) { run_on(@provider, state: "finished") }
    spent.each do |run|
      run.machines.first.update! state: "released", hourly_price: 2, provisioned_at: 6.hours.ago,
        released_at: 1.hour.ago
    end
    spent.each { |run| run.machines.second.update! state: "released" }
    spent.each { |run| run.reload.destroy! }

    assert_refused(/today's runs have cost 20\.00 USD/, draft(duration: 3000))
    travel 1.day
    assert draft.launch
  end

  test "refuses more instances than allowed at once" do
    run_on(@provider, clients: 4, state: "running")

    assert_refused(/needs 3 instances; other runs have 5 of the 7 that the provider allows at once/, draft(clients: 2),
      limit_instances: 7)
  end

  test "refuses a run longer than an instance may live" do
    assert_refused(Regexp.new("may take 2\\.4 h with duration, timeout, start and collecting, " \
      "but the provider lets an instance live for 2 h"), draft(duration: 3600), limit_hours: 2)
  end

  test "refuses a type without a price" do
    assert_refused(Regexp.new("no price of x99.huge, so the cost is not known and limits cannot be checked: " \
      "add it under Type prices of the provider cloud, or in config/ec2_prices.yml"), draft, instance_type: "x99.huge")
    @provider.update! type_prices: "x99.huge 0.2"
    assert draft.launch
  end

  test "launches a run within all limits" do
    assert draft.launch
  end

  test "stops a run before it passes its limit" do
    freeze_time
    run = run_on(@provider, state: "running")
    run.machines.first.update! state: "ready", hourly_price: 4, provisioned_at: 60.minutes.ago
    assert_nothing_raised { run.reload.send :check_limits }

    travel 13.minutes # 4.87 USD, plus 0.20 USD to collect
    error = assert_raises(Provider::Error) { run.reload.send :check_limits }
    assert_match(/The run was stopped at 4\.87 USD, below the 5\.00 USD that cloud allows for a run/,
      error.message)
  end

  test "active runs respect lowered limits" do
    freeze_time
    run = run_on(@provider, state: "running")
    run.machines.first.update! state: "ready", hourly_price: 1, provisioned_at: 30.minutes.ago
    assert_nothing_raised { run.reload.send :check_limits }

    Provider.find(@provider.id).update! limit_run: "0.2"
    assert_match(/The run was stopped at 0\.50 USD, below the 0\.20 USD/,
      assert_raises(Provider::Error) { run.send :check_limits }.message)

    Provider.find(@provider.id).update! limit_run: "5", limit_day: "0.3"
    assert_match(/The run was stopped: runs have cost 0\.50 USD today, and cloud allows 0\.30 USD for a day/,
      assert_raises(Provider::Error) { run.send :check_limits }.message)
  end

  test "a lowered instance limit stops the latest runs" do
    first,
      last = [ 20, 10 ].map do |minutes|
        run_on(@provider, clients: 2, state: "running", launched_at: minutes.minutes.ago)
      end
    assert_nothing_raised { [ first, last ].each(&:check_limits) }

    Provider.find(@provider.id).update! limit_instances: "5"
    assert_nothing_raised { first.check_limits }
    error = assert_raises(Provider::Error) { last.check_limits }
    assert_equal "The run was stopped: it has 3 instances, earlier runs have 3, and cloud allows 5 at once",
      error.message
    assert_match "Raise the limit", error.advice

    Provider.find(@provider.id).update! limit_instances: "2"
    assert_match "it has 3 instances", assert_raises(Provider::Error) { first.check_limits }.message
  end

  test "a lowered hour limit stops a run in time" do
    freeze_time
    run = run_on(@provider, state: "running")
    run.machines.first.update! state: "ready", provisioned_at: 110.minutes.ago
    assert_nothing_raised { run.check_limits }

    Provider.find(@provider.id).update! limit_hours: "2"
    assert_nothing_raised { run.reload.check_limits }
    travel 8.minutes
    assert_match "The run was stopped: its instances are 2.0 h old, and cloud allows 2 h",
      assert_raises(Provider::Error) { run.reload.check_limits }.message
  end

  private
    def draft(brokers: 1, clients: 1, **attributes)
      TestRun.new(name: "On EC2", provider: @provider, creator: users(:experimenter), duration: 60,
        database: "postgresql://mlmq@db.example.com/postgres", **attributes,
        broker_groups: [ Definition::BrokerGroup.new(scenario: "Broker", machine_count: brokers) ],
        client_groups: [ Definition::ClientGroup.new(scenario: "OneWayClient", machine_count: clients) ])
    end

    def assert_refused(pattern, run, **settings)
      @provider.update! settings

      assert_not run.launch
      assert_match pattern, run.errors.full_messages.join("\n")
      assert_nil run.launched_at
    end
end
