require "test_helper"

class ScenarioTest < ActiveSupport::TestCase
  test "every default is a value that may be written" do
    Scenario.all.flat_map(&:settings).each do |setting|
      assert_nil setting.complaint(setting.default), "#{setting.name}: #{setting.default}" if setting.default
    end
  end

  test "settings say what is wrong with a value" do
    client = Scenario.find("OneWayClient")

    assert_equal "must be from 10 B to 1,048,576 B, the limits of #{client.name}",
      client.setting("message.size").complaint("9")
    assert_nil client.setting("message.size").complaint("10..1000")
    assert_nil client.setting("rate").complaint("100/s to 2000/s over 10min")
    assert_match "must be such as 100/s", client.setting("rate").complaint("fast")
    assert_equal "must be one of fixed or poisson", client.setting("arrivals").complaint("even")
    assert_equal "must be a whole number", Scenario.find("Broker").setting("workers").complaint("many")
  end

  test "the form and the JVMs speak of the same keys" do
    Scenario.all.each do |scenario|
      template = Rails.root.join(System.default.template_of(scenario.role))
        .read.scan(/^#?(#{scenario.role}\.[\w.]+)=(.*)$/).to_h
      scenario.settings.each { |setting| assert_includes template, "#{scenario.role}.#{setting.name}" }
    end
  end

  test "the form offers the scenarios that there are" do
    known = Rails.root.join("docs/scenarios.md").read.scan(/^\| `([A-Z][\w#]+)`/).flatten
    assert_empty known - Scenario.all.map(&:name)
  end
end
