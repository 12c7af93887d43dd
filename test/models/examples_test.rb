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
end
