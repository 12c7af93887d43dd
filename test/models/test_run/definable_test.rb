require "test_helper"

class TestRun::DefinableTest < ActiveSupport::TestCase
  DEFINITION = <<~YAML
    name: Two brokers, mixed clients
    provider: local
    duration: 2min
    warmup: 10s
    cooldown: 5s
    brokers:
      - { scenario: Broker, jvms: 2, settings: { workers: 8, db.connections: 8 } }
    clients:
      - { scenario: OneWayClient, jvms: 2, clients: 15, settings: { rate: 100/s, message.size: 100 } }
      - { scenario: PublicQueueProducer, clients: 5 }
    thresholds: [ "errors < 1 %" ]
  YAML

  test "a definition survives import and export" do
    run = TestRun.from_definition(DEFINITION)

    assert run.valid?, run.errors.full_messages.to_sentence
    assert_equal [ 120, 10, 5 ], [ run.duration, run.warmup, run.cooldown ]
    assert_equal "2 brokers · 30 OneWayClient · 5 PublicQueueProducer", run.mix
    assert_equal({ "broker.workers" => "8", "broker.db.connections" => "8" }, run.broker_groups.first.properties)
    assert_equal run.to_definition, TestRun.from_definition(run.to_definition.to_yaml).to_definition
  end

  test "a setting without quotes that YAML reads as false is off" do
    run = TestRun.from_definition("name: x\ndatabase_settings: { fsync: off, indexes: off, jit: off }\n" \
      "brokers: [ { scenario: Broker, settings: { db.synchronous.commit: off } } ]\n" \
      "clients: [ { scenario: Subscriber, settings: { topic.durable: off } } ]")

    assert_equal({ "fsync" => "off", "indexes" => "off", "jit" => "false" }, run.database_settings)
    assert_equal({ "broker.db.synchronous.commit" => "off" }, run.broker_groups.first.properties)
    assert_equal({ "client.topic.durable" => "false" }, run.client_groups.first.properties)
  end

  test "an unknown word is named with the nearest" do
    run = TestRun.from_definition(DEFINITION.sub("duration:", "duraton:").sub("jvms: 2, settings", "jmvs: 2, settings"))

    assert_not run.valid?
    assert_includes run.errors[:base], '"duraton" is not a word of the definition; did you mean "duration"?'
    assert_includes run.errors[:base], '"jmvs" is not a word of brokers.0; did you mean "jvms"?'
  end

  test "what is no definition is refused with the reason" do
    broken = TestRun.from_definition("name: a\nbrokers: [\n")
    assert_not broken.valid?
    assert_match(/\AThe definition is not YAML: line [23], column 1: did not find/, broken.errors.full_messages.sole)
    assert_match "must be YAML with words", TestRun.from_definition("- 1").tap(&:valid?).errors[:base].sole
    assert_match "brokers.0 must be a group",
      TestRun.from_definition("brokers: [ 3 ]").tap(&:valid?).errors[:base].first
    assert_equal [ "name must be one value", "database_settings must be pairs such as { workers: 8 }",
      "thresholds must be a list such as [ one, two ]", "brokers.0.settings must be pairs such as { workers: 8 }" ],
      TestRun.from_definition("database_settings: 3\nname: { a: 1 }\nthresholds: { '0': errors < 1 % }\nbrokers: [ { " \
        "scenario: Broker, settings: workers } ]").tap(&:valid?).errors[:base]
    assert_match "no provider \"moon\"", TestRun.from_definition("provider: moon").tap(&:valid?).errors[:base].first
  end

  test "an unknown scenario is named with the nearest" do
    run = TestRun.from_definition(DEFINITION.sub("OneWayClient", "OnWayClient"))
    assert_not run.valid?
    assert_equal "OnWayClient is not a scenario of a client; did you mean OneWayClient?",
      run.client_groups.first.errors[:scenario].sole

    assert_not TestRun.from_definition(DEFINITION.sub("scenario: Broker", "scenario: OneWayClient")).valid?
  end

  test "estimates load, connections and time" do
    run = TestRun.from_definition(DEFINITION)
    run.client_groups.second.settings = { "rate" => "60/min to 600/min over 1min", "rate.of" => "client" }

    assert_equal [ 250.0, 16, 500 ], [ run.definition.offered_load, run.definition.planned_connections,
      run.tap { |it| it.database = "machine" }.definition.most_connections ]
    assert_in_delta 60, run.provider.usual_set_up_time, 51
    run.client_groups.first.settings = {}
    assert_nil run.definition.offered_load, "a closed load has no offered rate"
  end

  test "refuses aliases, deep nesting and excess size" do
    bomb = "a: &a [ x, x ]\n" + ("a".."p")
      .each_cons(2).map { |before, name| "#{name}: &#{name} [ #{([ "*#{before}" ] * 9).join(", ")} ]\n" }.join
    { bomb => "alias", "a: &a\n  b: *a\n" => "alias", "name: " + "[" * 900 + "]" * 900 => "levels deep",
      "name: " + "[" * 1_000_000 => "levels deep", "{a: " * 12 => "levels deep",
      "tags: [ #{"x," * 30_000} ]" => "more than 20000 values",
      "name: #{"x" * 2_000_000}" => "more than 1048576", "name: \u0000" => "not YAML" }.each do |text, complaint|
      assert_match(/#{complaint}/, TestRun.from_definition(text).tap(&:valid?).errors[:base].first, text.first(40))
    end
    assert_match "levels deep",
      TestRun.from_definition({ "name" => 20.times.inject("x") { |inside, _| [ inside ] } })
        .tap(&:valid?).errors[:base].first
  end

  test "names the system under test only where it is given" do
    assert_equal System.default, TestRun.from_definition(DEFINITION).system
    assert_not TestRun.from_definition(DEFINITION).to_definition["brokers"].first.key?("system")

    run = TestRun.from_definition(DEFINITION.sub("jvms: 2,", "jvms: 2, system: nosuchmq,"))
    assert_not run.valid?
    assert_match "system must be mlmq", run.errors.full_messages.to_sentence.downcase
    assert_equal "nosuchmq", run.to_definition["brokers"].first["system"]
    assert_match '"system" is not a word of clients.0',
      TestRun.from_definition(DEFINITION.sub("clients: 15,", "clients: 15, system: mlmq,"))
        .tap(&:valid?).errors[:base].first
  end

  test "messages use the labels of settings" do
    messages = TestRun.from_definition(DEFINITION + "when_jvm_dies: an address\njit_compiler: c3\n")
      .tap(&:valid?).errors.full_messages

    assert_includes messages, "When a JVM dies must be fail or go_on"
    assert_equal 1, messages.count { |message| message.start_with?("JIT compiler must be") }, messages.to_sentence
  end

  test "exports no password of a database" do
    run = TestRun.from_definition(DEFINITION + "database: postgresql://anna:secret@db.example.org/bench\n")

    assert_equal "postgresql://anna@db.example.org/bench", run.to_definition["database"]
  end
end
