require "test_helper"

class DefinitionTest < ActiveSupport::TestCase
  SAID = { "duration" => "2min", "warmup" => "10s", "thresholds" => [ "errors < 1 %" ],
    "database_settings" => { "fill" => "1,2,3" },
    "brokers" => [ { "scenario" => "Broker", "machines" => 1, "jvms" => 2, "settings" => { "workers" => "8" } } ],
    "clients" => [ { "scenario" => "OneWayClient", "machines" => 1, "jvms" => 1, "clients" => 3 } ] }

  test "settings of tables that no broker uses are refused" do
    text = "name: x\ndatabase_settings: { indexes: off }\nbrokers: [ { scenario: Broker, " \
      "settings: { storage: memory } } ]\nclients: [ { scenario: Bob } ]"
    refused = TestRun.from_definition(text)

    assert_not refused.valid?
    assert_includes refused.errors.full_messages,
      "Database settings indexes has no effect, as brokers keep messages with storage=memory"
    assert_predicate TestRun.from_definition(text.sub("memory", "postgresql")), :valid?
    assert_predicate TestRun.from_definition(text.sub("Bob", "DatabaseOnly")), :valid?
  end

  test "is read, exported and stored in the same words" do
    definition = Definition.read(SAID)

    assert_predicate definition, :valid?, definition.errors.full_messages.to_sentence
    assert_equal SAID, definition.to_h.slice(*SAID.keys)
    assert_equal definition, Definition.found(JSON.parse(definition.kept.to_json))
    assert_equal definition.to_h, Definition.read(definition.to_h.to_yaml).to_h
  end

  test "stores encrypted addresses, exports no passwords" do
    definition = Definition.read(SAID.merge("database" => "postgresql://ada:sesame@db.example.org/x"))
    definition.broker_groups.sole.assign_attributes system: "rabbitmq", address: "amqp://bob:sesame@mq.example.org"
    kept = definition.kept.to_json

    assert_no_match "sesame", kept + definition.to_h.to_json + definition.inspect
    found = Definition.found(JSON.parse(kept))
    assert_equal "postgresql://ada:sesame@db.example.org/x", found.database
    assert_equal "amqp://bob:sesame@mq.example.org", found.broker_groups.sole.address
    assert_equal found, definition, "each encryption gives a different text"
  end

  test "a lost key breaks only what reads the secret" do
    run = test_runs(:finished)
    run.definition.assign_attributes database: "postgresql://u:p@h/d"
    run.save! validate: false
    key = ActiveRecord::Encryption::DerivedSecretKeyProvider.new("another")
    sealed = ActiveRecord::Encryption::Encryptor.new.encrypt("postgresql://u:p@h/d", key_provider: key)
    TestRun.connection.execute TestRun.sanitize_sql([ "UPDATE test_runs SET definition = jsonb_set(definition, " \
      "'{database}', to_jsonb(?::text)) WHERE id = ?", sealed, run.id ])

    run = TestRun.find(run.id)
    assert_equal "2 brokers · 30 OneWayClient", run.mix
    run.update! name: "Renamed"
    assert_equal sealed, TestRun.connection.select_value(
      "SELECT definition ->> 'database' FROM test_runs WHERE id = #{run.id}")
    assert_predicate run.as_json(summary: true), :present?
    assert_raises(ActiveRecord::Encryption::Errors::Decryption) { run.database }
    assert run.destroy
  end

  test "a copy has its own groups" do
    definition = Definition.read(SAID)
    copy = definition.dup
    copy.client_groups.sole.client_count = 9
    copy.duration = 1

    assert_equal [ 3, 120 ], [ definition.client_groups.sole.client_count, definition.duration ]
    assert_equal "clients.0", copy.client_groups.sole.key
    assert_not_equal definition, copy
  end

  test "refuses brokers that cannot be laid out by publishers or subscribers" do
    complaint = lambda do |layout, brokers: 2, storage: "memory", system: "mlmq", others: layout, publishers: 2|
      definition = Definition.read("brokers" => [ { "system" => system, "jvms" => brokers,
        "settings" => ({ "storage" => storage } if system == "mlmq") }.compact ],
        "clients" => [
          { "scenario" => "Publisher", "clients" => publishers, "settings" => { "topic.layout" => layout } },
          { "scenario" => "Subscriber", "clients" => 3, "settings" => { "topic.layout" => others } } ])
      definition.valid?
      definition.errors[:client_groups].to_sentence.presence
    end

    assert_nil complaint["publisher"]
    assert_nil complaint["subscriber", brokers: 3]
    assert_nil complaint["shared", storage: "postgresql", publishers: 7]
    assert_equal "have topic.layout=publisher, which gives each Publisher a broker of its own: there are 2 brokers " \
      "for 5", complaint["publisher", publishers: 5]
    assert_equal "have topic.layout=subscriber, which gives each Subscriber a broker of its own: there are 2 brokers " \
      "for 3", complaint["subscriber"]
    assert_match "set brokers.0.settings.storage to memory", complaint["publisher", storage: "postgresql"]
    assert_match "needs several brokers of MLMQ; ActiveMQ", complaint["publisher", brokers: 1, system: "activemq"]
    assert_equal "must all have the same topic.layout, and have publisher and shared",
      complaint["publisher", others: "shared"]
  end

  test "refuses JVMs that share subscriptions or brokers and have different numbers of clients" do
    complaint = lambda do |scenario, layout, *clients, **more|
      definition = Definition.read("brokers" => [ { "jvms" => 4, "settings" => { "storage" => "memory" } } ],
        "clients" => clients.map do |count|
          { "scenario" => scenario, "clients" => count, "settings" => { "topic.layout" => layout, **more } }
        end)
      definition.valid?
      definition.errors[:client_groups].to_sentence.presence
    end

    assert_match "of Subscriber must have as many clients in each JVM, as they share the subscriptions evenly, " \
      "and have 1 and 3", complaint["Subscriber", "shared", 1, 3]
    assert_nil complaint["Subscriber", "shared", 2, 2]
    assert_match "of Publisher must have as many clients in each JVM, as each has a broker of its own, and have 1 " \
      "and 3", complaint["Publisher", "publisher", 1, 3]
    assert_nil complaint["Publisher", "shared", 1, 3]
  end

  test "only a changed definition is saved" do
    run = test_runs(:draft)
    assert_not run.tap(&:definition).changed?

    run.client_groups.sole.settings = run.client_groups.sole.settings.merge("rate" => "7/s")
    assert_predicate run, :changed?
    run.save!
    assert_equal "7/s", TestRun.find(run.id).client_groups.sole.settings["rate"]
  end

  test "a copy of a run has no outcome" do
    run = test_runs(:finished)
    run.verdict
    copy = run.duplicate
    copy.save!

    assert_nil copy.verdict_name
    assert_equal copy, copy.outcome.run
  end

  test "a launched run ignores later validation rules" do
    run = test_runs(:running)
    run.client_groups.sole.scenario = "Gone"
    run.save! validate: false

    TestRun.find(run.id).update! load_starts_at: Time.current
    assert_not TestRun.find(test_runs(:draft).id).tap { |it| it.client_groups.sole.scenario = "Gone" }.save
  end

  test "each word knows its attribute and whether it varies" do
    varied, fixed = Definition.words.partition(&:varies?).map { |words| words.map(&:name) }
    assert_empty %w[ duration warmup timeout when_jvm_dies jit_compiler ] - varied
    assert_empty %w[ database revision brokers thresholds ] - fixed
    assert_equal %w[ duration warmup cooldown ], Definition::Scale::TIMES
    assert_equal [ "client_count", false, true ],
      Definition::Words.at("clients.0.clients").then { |word| [ word.attribute, word.weighs?, word.scales? ] }
    assert_equal "settings", Definition::Words.at("brokers.3.settings.workers").name
    assert_equal "database_settings", Definition::Words.at("database_settings.fill").name
    [ "nothing", "brokers", "brokers.x.jvms", "brokers.0", "" ].each do |path|
      assert_not Definition::Words.at(path)&.varies?, path
    end
    permitted = Definition.parameters
    assert_includes permitted, :warmup
    assert_includes permitted.grep(Hash).flat_map(&:keys), :client_groups_attributes
  end

  test "errors name the word or the group" do
    definition = Definition.read(SAID.merge("warmup" => "3min", "jit_compiler" => "c3", "keep_database" => "perhaps",
      "abort_when" => [ "p99 < 5 ms" ],
      "clients" => [ { "scenario" => "OneWayClient", "clients" => 0, "jvms" => 1.5 } ]))

    assert_not definition.valid?
    assert_equal %i[ duration keep_database jit_compiler abort_when client_groups.client_count client_groups.jvm_count ]
      .to_set, definition.errors.attribute_names.to_set
    assert_equal 2, definition.client_groups.sole.errors.size
  end

  test "estimates of points need no record of a run" do
    assert_no_queries_match(/INSERT|broker_groups|client_groups/) do
      estimates = (1..1_000).map do |clients|
        Definition.read(SAID.deep_merge("clients" => [ SAID["clients"].first.merge("clients" => clients) ])).mix
      end
      assert_equal "2 brokers · 1000 OneWayClient", estimates.last
    end
  end
end
