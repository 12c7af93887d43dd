require "test_helper"

class ScenarioTest < ActiveSupport::TestCase
  test "every default is a valid value" do
    Scenario.all.flat_map(&:settings).each do |setting|
      assert_nil setting.complaint(setting.default), "#{setting.name}: #{setting.default}" if setting.default
    end
  end

  test "a setting refuses an unknown word" do
    entry = YAML.load("{ label: Connections, hint: With fewer than workers, workers wait }")

    assert_raises(ArgumentError) { Scenario::Setting.new("db.connections", entry) }
  end

  test "settings name what is wrong with a value" do
    client = Scenario.find("OneWayClient")

    assert_equal "must be from 10 B to 1,048,576 B, the limits of #{client.name}",
      client.setting("message.size").complaint("9")
    [ "10..1000", "zipf 10..1000", "10, 100", "90% 100, 10% 1000", "99.5 % 100,0.5 % zipf 200..1000" ].each do |sizes|
      assert_nil client.setting("message.size").complaint(sizes), sizes
    end
    content = client.setting("message.content")
    assert_nil content.complaint("file:contents/orders-2.json")
    [ "file:/etc/passwd", "file:contents/../config.properties", "file:contents/.env", "File" ].each do |other|
      assert_match(/must be text, random, zeros, or a file/, content.complaint(other), other)
    end
    assert_equal "has shares that add up to 90.0 %, not to 100 %",
      client.setting("message.size").complaint("80% 100, 10% 1000")
    assert_match "add up to 0.0 %", client.setting("message.size").complaint("0% 100")
    assert_equal "has the range 200..100: write the smaller number first",
      client.setting("message.size").complaint("200..100")
    assert_match "must be such as", client.setting("message.size").complaint("90% 100, 1000")
    assert_match "must be from 10 B", client.setting("message.size").complaint("50% 9, 50% 100")
    assert_nil client.setting("rate").complaint("100/s to 2000/s over 10min")
    assert_nil client.setting("rate").complaint("100/s for 1min, 0/s for 500 ms,50/s")
    assert_nil client.setting("rate").complaint("0.05/s")
    [ "100/s for 1min", "100/s, 50/s", "100/s for 1min, 1/s to 2/s over 1s", "fast", "0/s", "0.0/min",
      "0/s to 9/s over 1s", "9/s to 0/s over 1s", "9/s for 1s, 0/s", "9/s for 0s, 1/s" ].each do |rate|
      assert_match "must be above 0, such as 100/s", client.setting("rate").complaint(rate), rate
    end
    assert_equal "must be one of fixed or poisson", client.setting("arrivals").complaint("even")
    assert_equal "must be a whole number", Scenario.find("Broker").setting("workers").complaint("many")
  end

  test "defaults and ranges are those of the catalogue" do
    workers, storage = %w[ workers storage ].map { |name| Scenario.find("Broker").setting(name) }

    assert_equal [ "2", 0..512 ], [ workers.default, workers.range ]
    assert_equal Catalogue.key("broker.storage").choices, storage.choices.keys
    Scenario.all.flat_map { |scenario| scenario.settings.map { |setting| [ scenario.role, setting ] } }
      .select { |_, setting| setting.choices }.each do |role, setting|
        assert_equal Catalogue.key("#{role}.#{setting.name}").choices.sort, setting.choices.keys.sort, setting.name
      end
    System.all.grep(System::Driven).flat_map { |system| system.settings.select(&:choices) }.each do |setting|
      key = Catalogue::FILE["keys"]["client.driver.#{setting.name}"] or next
      assert_empty setting.choices.keys - key["range"].split("|"), setting.name
    end
    System::Driven::SETTINGS.select { |_, words| words["choices"] }.each do |name, words|
      key = Catalogue::FILE["keys"]["client.driver.#{name}"] or next
      assert_equal key["range"].split("|").sort, words["choices"].keys.sort, name
    end
  end

  test "clients that both send and receive can do without other JVMs" do
    able = Scenario.of("client").select(&:pairs_own?).map(&:name)
    assert_equal %w[ OneWayClient PairedClient Larry Mix DatabaseOnly ], able
    assert_equal able, Scenario.of("client").select { |it| it.setting("pairing") }.map(&:name)
    mix = Scenario.find("Mix")
    assert mix.pairs_own?("send:50,receive:50")
    assert_not mix.pairs_own?("send:50,peek:50")
  end

  test "a scenario runs where the driver has its operations" do
    mlmq, *others = System.all

    assert_equal [ true, *others.map { true } ], System.all.map { |it| Scenario.find("Carl").runs_on?(it) }
    [ "Larry", "DatabaseOnly", "Echo", "Only#peekMessage" ].each do |name|
      assert_equal [ true, *others.map { false } ], System.all.map { |it| Scenario.find(name).runs_on?(it) }, name
    end
    [ "Publisher", "Subscriber" ].each do |name|
      assert_equal System.all.map(&:name), System.all.select { |it| Scenario.find(name).runs_on?(it) }.map(&:name)
    end
    mix = Scenario.find("Mix")
    assert_equal [ %w[ peek ], [] ], [ others.first, mlmq ].map { |it| mix.operations_lacking(it, "send:1,peek:2") }
    assert others.all? { |it| mix.runs_on?(it) }
  end

  test "subscriptions are described in the form as the clients read them" do
    filter = Scenario.find("Subscriber").setting("topic.filter")

    assert_equal filter.default, Scenario.find("Publisher").setting("topic.filter").default
    [ "none", "context", "property", "and 3", "and 12 early", "or 1", "in 64", "range" ].each do |text|
      assert_nil filter.complaint(text), text
    end
    [ "and", "or 0", "in 3 early", "xor 2", "and 100" ].each do |text|
      assert_match "must be none, context", filter.complaint(text), text
    end
    assert_equal "must be from 0 to 100,000, the limits of Subscriber",
      Scenario.find("Subscriber").setting("topic.matching").complaint("100001")
  end

  test "a setting of a group falls back to its default" do
    group = Definition::BrokerGroup.new(scenario: "Broker", settings: { "workers" => "8" })

    assert_equal %w[ 8 512 2000 ], %w[ workers batch.max content.max ].map { |name| group.setting(name) }
  end

  test "the form offers all scenarios" do
    known = Rails.root.join("docs/reference/scenarios.md").read.scan(/^\| `([A-Z][\w#]+)`/).flatten
    assert_empty known - Scenario.all.map(&:name)
    assert_equal Catalogue.scenarios.keys.sort, Scenario.of("client").map(&:name).sort
  end
end
