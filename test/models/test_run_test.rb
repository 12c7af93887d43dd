require "test_helper"

class TestRunTest < ActiveSupport::TestCase
  include ActiveJob::TestHelper

  test "needs a name, a broker, a client and measured time" do
    run = TestRun.new(warmup: 40, cooldown: 20, duration: 60)

    assert_not run.valid?
    assert_includes run.errors[:name], "can't be blank"
    assert_includes run.errors.full_messages, "Add at least one broker group"
    assert_includes run.errors.full_messages, "Add at least one client group"
    assert_match "longer than warm-up and cool-down together (1min)", run.errors[:duration].sole
  end

  test "limits the number of groups" do
    group, most = { "scenario" => "OneWayClient", "clients" => 1 }, Definition::Grouped::MOST_GROUPS
    refusal = "can be #{most} at most: give a group more machines or JVMs instead"
    { most => [], most + 1 => [ refusal ] }.each do |count, errors|
      run = TestRun.from_definition({ "name" => "x", "clients" => [ group ] * count })
      assert_not run.valid?
      assert_equal errors, run.errors[:client_groups]
    end
  end

  test "reads durations and refuses nonsense" do
    assert_equal 120, TestRun.new(duration: "2min").duration
    assert_equal 90, TestRun.new(duration: "90").duration
    assert_not TestRun.new(duration: "soon").tap(&:valid?).errors[:duration].empty?
  end

  test "refuses malformed and reserved settings" do
    group = test_runs(:draft).broker_groups.first

    group.settings = SettingsText.parse("workers=8\n# comment\ndb.url=jdbc:x\ndb.password=x\nbad key=1\nqueue=")
    assert_not group.valid?
    assert_equal 4, group.errors[:settings].size
    assert_equal "8", group.settings["workers"]
  end

  test "a duplicate is a draft of the same layout" do
    test_runs(:failed).update_columns figures: { "examined" => true, "checks" => [ { "verdict" => "rejected" } ] }
    copy = test_runs(:failed).duplicate

    assert copy.save, copy.errors.full_messages.to_sentence
    assert_predicate copy, :draft?
    assert_nil copy.error
    assert_empty copy.figures
    assert_equal test_runs(:failed).mix, copy.mix
  end

  test "phases are done, active or waiting" do
    states = ->(run) { run.phases.to_h { |phase| [ phase[:name], phase[:state] ] } }

    assert_equal({ "queued" => "done", "provisioning" => "done", "building" => "done", "deploying" => "done",
      "running" => "now", "collecting" => "waiting" },
      states[test_runs(:running)])
    assert_equal "failed", states[test_runs(:failed)]["deploying"]
    assert_equal [ "done" ], states[test_runs(:finished)].values.uniq
  end

  test "launches once, which enqueues a job" do
    run, same_elsewhere = test_runs(:draft), TestRun.find(test_runs(:draft).id)

    assert_enqueued_with(job: TestRun::AdvanceJob, args: [ run ]) { assert run.launch }
    assert_predicate run, :queued?

    [ run, same_elsewhere ].each do |again|
      assert_not again.launch
      assert_includes again.errors[:base], "has been launched already"
    end
  end

  test "numbers JVMs across the groups of a role" do
    run = test_runs(:draft)
    run.client_groups += [ Definition::ClientGroup.new(scenario: "PublicQueueProducer", machine_count: 2) ]
    run.save!

    run.lay_out
    assert_equal [ "local" ], run.machines.map(&:name)
    assert_equal %w[ broker_0 broker_1 client_0 client_1 client_2 client_3 ], run.jvms.map(&:name)
    assert_equal "clients.1", run.jvms.last.group.key
  end

  test "only an ended run without machines can be deleted" do
    assert_not test_runs(:running).destroy
    assert_match "cancel it first", test_runs(:running).errors[:base].first

    machines(:failed_local).ready!
    assert_not test_runs(:failed).destroy
    assert_match "still has machines", test_runs(:failed).errors[:base].first

    assert_difference -> { Jvm.count }, -4 do
      assert test_runs(:finished).destroy
    end
  end

  test "refuses own messages for clients that do not both send and receive" do
    complaints = { "OneWayClient" => {}, "Mix" => { "mix" => "send:50,peek:50" }, "Worker" => {} }
      .to_h do |scenario, settings|
        run = TestRun.from_definition(RunsHelper::DEFINITION.deep_merge("brokers" => [ { "scenario" => "Broker" } ],
          "clients" => [ { "scenario" => scenario, "settings" => { "pairing" => "own", **settings } } ]))
        run.validate
        [ scenario, run.errors.full_messages ]
      end

    assert_empty complaints["OneWayClient"]
    assert_match(/Messages received \(pairing\) cannot be own: clients of Mix do not both send and receive/,
      complaints["Mix"].sole)
    assert_match(/\(pairing\) cannot be own: clients of Worker do not/, complaints["Worker"].sole)
  end

  test "refuses messages larger than its brokers accept" do
    run = TestRun.from_definition(RunsHelper::DEFINITION.deep_merge("brokers" => [ { "scenario" => "Broker" } ],
      "clients" => [ { "scenario" => "OneWayClient", "settings" => { "message.size" => "100,20000" } } ]))
    assert_not run.valid?
    assert_match(/Message size \(message.size\) is 20000 B, and the brokers take 2000 B: .* content.max=20000/,
      run.errors.full_messages.to_sentence)

    run.broker_groups.first.settings = { "content.max" => 20_000 }
    assert_predicate run.tap(&:validate).errors, :empty?
    run.broker_groups.first.assign_attributes system: "rabbitmq", settings: {}
    assert_predicate run.tap(&:validate).errors, :empty?
  end
end
