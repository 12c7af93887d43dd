require_relative "contract"

# Adds the behaviour of systems whose clients use a driver.
module DrivenSystemContract
  extend ActiveSupport::Concern
  include SystemContract

  included do
    test "only broker machines need the system installed" do
      facts = { "java" => "openjdk version 17" }
      what, advice = system.lacking(facts, [ "broker" ])

      assert_equal "There is no #{system.label}", what
      assert_match(/apt-get install #{system.packages}\z/, advice)
      assert_nil system.lacking(facts, [ "client" ])
      assert_nil system.lacking(facts.merge(system.name => "installed"), [ "broker" ])
      assert_equal "There is no Java", system.lacking({}, [ "client" ]).first
    end

    test "refuses settings that neither server nor driver has" do
      run = build_run(brokers: [ { system: system.name, settings: { "listeners" => "x", "a b" => "1" } } ],
        clients: [ { scenario: "DatabaseOnly" }, { scenario: "Mix" } ], database: "machine", keep_database: true)

      assert_not run.valid?
      messages = [ run, *run.definition.groups ].flat_map { |record| record.errors.full_messages }
      assert_includes messages, "Settings Mix (mix) has peek and query, which #{system.label} has not: " \
        "write weights such as send:50,dequeue:50"
      assert_includes messages.join("\n"), %("a b" is not a key)
      assert_match(/DatabaseOnly cannot be run on #{system.label}; .*PublicQueueProducer.* can/, messages.join("\n"))
      assert_includes messages, "Database is for runs of MLMQ: #{system.label} keeps its messages itself"
      assert_includes messages, "Keep database is for runs of MLMQ: #{system.label} keeps its messages itself"
      system.settings.each { |setting| assert_nil system.complaint_about("broker", setting.name) }
    end

    test "has one server without a profile" do
      group = { system: system.name, machines: 2, jvms: 3, profile: true }
      run = build_run(brokers: [ group, { system: system.name } ])

      assert_not run.valid?
      assert_includes run.errors[:broker_groups], "must be one: there is one server of #{system.label}"
      %i[ machine_count jvm_count ].each do |count|
        assert_equal [ "must be 1: there is one server of #{system.label}" ], run.broker_groups.first.errors[count]
      end
      assert_equal [ "is for JVMs of MLMQ and clients only" ], run.broker_groups.first.errors[:profile]
    end

    test "a server at an address has no machines" do
      address = "#{system.scheme}://alice:s%40cret@queue.example.org:7777"
      run = build_run(brokers: [ { system: system.name, address: address } ],
        clients: [ { scenario: "PublicQueueProducer" } ])

      assert_predicate run, :valid?, run.errors.full_messages.to_sentence
      run.save!
      run.lay_out
      assert_equal %w[ client ], run.jvms.map(&:role)
      assert_equal "s@cret", run.secrets.fetch("MLMQ_DRIVER_PASSWORD")
      properties = run.jvms.first.properties
      assert_equal address.sub(":s%40cret", ""), properties["client.driver.address"]
      assert_equal system.driver, properties["client.driver"]
      assert_no_match(/s%?4?0?@?cret/, [ run.to_definition.to_yaml, run.to_json, run.inspect, properties.to_json,
        run.broker_groups.first.inspect,
        TestRun.connection.select_value("SELECT definition FROM test_runs WHERE id = #{run.id}") ].join)
      again = TestRun.from_definition(run.to_definition)
      assert_equal address.sub(":s%40cret", ""), again.broker_groups.first.address
    end
  end
end
