require "test_helper"

class ExamplesTest < ActiveSupport::TestCase
  Rails.root.glob("examples/*.yml").each do |file|
    test "#{file.basename} can be launched as it is" do
      definition = YAML.load_file(file)
      provider = definition["provider"] == "ssh" ? { "provider" => "local" } : {} # its hosts do not exist here
      kind = definition.key?("experiment") ? Experiment : TestRun
      tells_trend = definition.dig("experiment", "find", "until").to_a.include?(Condition::STEADY)
      [ nil, tells_trend ? "0.8" : "0.02" ].each do |scale| # a trend needs a minimum of seconds
        made = kind.from_definition(definition.deep_dup.merge(provider, { "scale" => scale }.compact))
        assert_predicate made, :valid?, made.errors.full_messages.to_sentence
      end
      assert_operator definition["description"].length, :>, 20
    end
  end

  Rails.root.glob("examples/study*.yml").each do |file|
    test "#{file.basename} says at its head how it differs from its study" do
      head, definition = file.read[/\A(#.*\n)+/].to_s, YAML.load_file(file)
      assert_match(/^# (As published|Differences from the study:\n# - \S)/, head)
      assert_match "scale #{definition["scale"]}", head if definition["scale"]
      definition["brokers"].each do |group|
        assert_match "batch.max #{group["settings"]["batch.max"]}", head if group.dig("settings", "db.connections")
      end
    end
  end
end
