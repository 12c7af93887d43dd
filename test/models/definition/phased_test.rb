require "test_helper"

class Definition::PhasedTest < ActiveSupport::TestCase
  LOAD = [ { "for" => "60s", "rate" => "1000/s" }, { "for" => "10s", "rate" => "8000/s", "name" => "spike" },
    { "for" => "2min", "takers" => "paused", "name" => "outage" },
    { "until" => "backlog = 0", "at_most" => "5min", "name" => "drain" } ]
  PRODUCER = { "scenario" => "PublicQueueProducer", "settings" => { "rate" => "500/s" } }
  CONSUMER = { "scenario" => "PublicQueueConsumer" }

  test "phases are read, exported and stored in the same words" do
    definition = read("load" => LOAD)

    assert_predicate definition, :valid?, definition.errors.full_messages.to_sentence
    assert_equal LOAD, definition.to_h["load"]
    assert_equal definition, Definition.found(JSON.parse(definition.kept.to_json))
    assert_equal definition.to_h, Definition.read(definition.to_h.to_yaml).to_h
    assert_equal [ "phase 1", "spike", "outage", "drain" ], definition.load_plan.phases.map(&:name)
  end

  test "the duration follows from the phases, at_most counted, with warm-up and cool-down" do
    definition = read("load" => LOAD)

    assert_equal 15 + 60 + 10 + 120 + 300 + 5, definition.duration
    assert_not definition.to_h.key?("duration")
    definition.read "warmup" => "20s"
    assert_equal 515, definition.duration
  end

  test "a duration that differs from the phases is refused" do
    assert_predicate read("load" => LOAD, "duration" => "510s"), :valid?
    definition = read("load" => LOAD, "duration" => "500s")

    assert_not definition.valid?
    assert_match "must be 510s, the sum of the phases", definition.errors[:duration].first
  end

  test "clients get the whole plan" do
    definition = read("load" => LOAD)

    producer, consumer = definition.client_groups.map { |group| definition.phases_in_settings_of(group) }
    assert_equal({ "client.load" => "phase 1: 60s 1000/s; spike: 10s 8000/s; outage: 120s; drain: until 300s" },
      producer)
    assert_equal({ "client.load" => "phase 1: 60s; spike: 10s; outage: 120s paused; drain: until 300s" }, consumer)
    assert_equal({}, read.then { |plain| plain.phases_in_settings_of(plain.client_groups.first) })
  end

  test "phases of one group change that group alone, which needs no other rate" do
    definition = read("clients" => [ { "scenario" => "PublicQueueProducer", "load" => LOAD.first(2) },
      CONSUMER.merge("settings" => { "rate" => "9/s" }) ])

    assert_predicate definition, :valid?, definition.errors.full_messages.to_sentence
    producer, consumer = definition.client_groups.map { |group| definition.phases_in_settings_of(group) }
    assert_equal({ "client.load" => "phase 1: 60s 1000/s; spike: 10s 8000/s", "client.rate" => "1000/s" }, producer)
    assert_equal({ "client.load" => "phase 1: 60s; spike: 10s" }, consumer)
    assert_equal LOAD.first(2), definition.to_h["clients"].first["load"]
    assert_equal 8009, definition.offered_load
  end

  test "a form has one phase on each line" do
    definition = read
    definition.assign_attributes duration: "", load_phases: <<~LINES
      for: 60s, rate: 1000/s

      for: 10s, rate: 8000/s, name: spike
      for: 2min, takers: paused, name: outage
      until: "backlog = 0", at_most: 5min, name: drain
    LINES

    assert_predicate definition, :valid?, definition.errors.full_messages.to_sentence
    assert_equal LOAD, definition.to_h["load"]
    assert_equal LOAD, Definition::LoadPlan.parse(Definition::LoadPlan.text_of(definition.load_phases))
    assert_equal 510, definition.duration
  end

  test "an empty field means no phases" do
    [ nil, "", " \n " ].each do |empty|
      definition = read.tap { |it| it.load_phases = empty }

      assert_predicate definition, :valid?
      assert_not definition.phases?
    end
  end

  test "a smaller run has shorter phases" do
    definition = read("load" => LOAD, "duration" => "510s", "scale" => 0.1)

    assert_predicate definition, :valid?, definition.errors.full_messages.to_sentence
    assert_equal [ 6, 1, 12, 30 ], definition.load_plan.phases.map(&:seconds)
    assert_equal 15 + 49 + 1, definition.duration, "the cool-down shrinks, the warm-up stays"
    group = read("scale" => 0.5, "clients" => [ PRODUCER.merge("load" => [ { "for" => "1min",
      "rate" => "1/s to 5/s over 40s" } ]) ])
    assert_equal [ { "for" => "30s", "rate" => "1/s to 5/s over 20s" } ], group.client_groups.sole.load_phases
  end

  test "phases that cannot be are refused with the reason" do
    { "has both for and until" => { "for" => "60s", "until" => "backlog = 0", "at_most" => "5min" },
      "needs its length, such as for: 60s" => { "rate" => "5/s" },
      "needs at_most, such as at_most: 5min" => { "until" => "backlog = 0" },
      "has at_most without until" => { "for" => "60s", "at_most" => "5min" },
      "did you mean until?" => { "untill" => "backlog = 0", "at_most" => "5min" },
      "a phase has the words for, until" => { "pace" => "1/s", "for" => "60s" },
      "must have for of 1s or more" => { "for" => "soon" },
      "must have at_most of 1s" => { "until" => "p99 < 5 ms", "at_most" => "0s" },
      "has the rate \"fast\"" => { "for" => "60s", "rate" => "fast" },
      "has the rate \"10000000/s\"" => { "for" => "60s", "rate" => "10000000/s" }, # clients refuse the next ones, too
      "has the rate \"0.0000000001/h\"" => { "for" => "60s", "rate" => "0.0000000001/h" },
      "above 0 at its begin" => { "for" => "60s", "rate" => "0/s to 5/s over 5s" },
      "above 0 at its begin and its end" => { "for" => "60s", "rate" => "5/s to 0.0/s over 5s" },
      "and take some time" => { "for" => "60s", "rate" => "1/s to 5/s over 0ms" },
      "has no value of rate" => { "for" => "60s", "rate" => { "from" => "5/s" } },
      "has no value of name" => { "for" => "60s", "name" => nil },
      "has at_most 60s, in which p99 < 5 ms for 1 min cannot hold" => { "until" => "p99 < 5 ms for 1 min",
        "at_most" => "60s" },
      "takers can only be paused" => { "for" => "60s", "takers" => "gone" },
      "must have a name of up to 40" => { "for" => "60s", "name" => "a;b" } }.each do |reason, phase|
      assert_refused reason, "load" => [ LOAD.first, phase ]
      assert_refused reason, "clients" => [ PRODUCER.merge("load" => [ phase ]), CONSUMER ]
    end
    assert_refused 'phase 1 has until "drain = 0 s", which',
      "load" => [ { "until" => "drain = 0 s", "at_most" => "9s" } ]
    assert_refused 'phase 1 has until "gone = 0", which', "load" => [ { "until" => "gone = 0", "at_most" => "9s" } ]
    assert_refused "two phases with the name a", "load" => [ { "for" => "1s", "name" => "a" } ] * 2
    assert_refused "has 21 phases, and may have 20", "load" => [ { "for" => "1s" } ] * 21
    assert_refused "load must be a list of phases such as", "load" => []
    assert_refused "load must be a list of phases such as", "load" => { "for" => "60s" }
  end

  test "a word that stands in a line twice is refused" do
    assert_refused "phase 2 (a) has the word for twice", "load" => "for: 60s\nfor: 60s, name: a, for: 10s"
  end

  test "a smaller run has shorter phases though they are text, and conditions that can hold" do
    text = "for: 60s, rate: 5/s\nfor: 9s"
    assert_equal [ 6, 1 ], read("scale" => 0.1, "load" => text).load_plan.phases.map(&:seconds)
    group = read("scale" => 0.1, "clients" => [ PRODUCER.merge("load" => "for: 60s, rate: 5/s"), CONSUMER ])
    assert_equal [ 6 ], group.load_plan.phases.map(&:seconds)
    slow = read("scale" => 0.01, "load" => [ { "until" => "p99 < 5 ms for 30 s", "at_most" => "5min" } ])
    assert_predicate slow, :valid?, slow.errors.full_messages.to_sentence
    assert_operator slow.load_plan.phases.sole.seconds, :>, 30
  end

  test "phases that do not fit the groups are refused with the reason" do
    assert_refused "has rates, but none in its first phase", "clients" => [ { "scenario" => "PublicQueueProducer",
      "load" => [ { "for" => "60s" }, { "for" => "10s", "rate" => "8000/s" } ] }, CONSUMER ]
    assert_refused "may stand in one place, not for all groups and in clients.0", "load" => LOAD,
      "clients" => [ PRODUCER.merge("load" => LOAD.first(1)), CONSUMER ]
    assert_refused "has rates, and so has the rate of clients.0", "load" => LOAD.first(2),
      "clients" => [ PRODUCER.merge("settings" => { "rate" => "1/s for 5s, 2/s" }) ]
    assert_refused "cannot be combined with steps of clients.1", "load" => [ { "for" => "60s" } ],
      "clients" => [ PRODUCER, CONSUMER.merge("settings" => { "steps" => "+1 every 5s up to 20" }) ]
    assert_refused "no group of clients has one: give the setting rate", "load" => LOAD, "clients" => [ CONSUMER ]
    assert_refused "no group of clients takes messages", "load" => LOAD, "clients" => [ PRODUCER ]
    assert_refused "clients of PublicQueueProducer do not take messages",
      "clients" => [ PRODUCER.merge("load" => LOAD), CONSUMER ]
    assert_refused "has no rate above 0", "clients" => [ { "scenario" => "PublicQueueProducer",
      "load" => [ { "for" => "60s", "rate" => "0/s" } ] } ]
  end

  test "clients that take messages are known by their operations" do
    takers = Scenario.of("client").select(&:takes?).map(&:name)

    assert_empty %w[ PublicQueueConsumer Bob Rick Worker Subscriber OneWayClient Mix Only#dequeueMessage ] - takers
    assert_empty takers & %w[ PublicQueueProducer Alice Carl Publisher Echo Only#peekMessage Only#sendMessage ]
    assert_not Scenario.find("Mix").takes?("send:50,peek:50")
  end

  private
    def read(words = {})
      Definition.read({ "warmup" => "15s", "cooldown" => "5s", "brokers" => [ { "scenario" => "Broker" } ],
        "clients" => [ PRODUCER, CONSUMER ] }.merge(words)).tap { |it| it.head = test_runs(:draft) }
    end

    def assert_refused(reason, words)
      definition = read(words)

      assert_not definition.valid?, words
      assert definition.errors.full_messages.any? { |message| message.include? reason },
        "#{reason}: #{definition.errors.full_messages}"
    end
end
