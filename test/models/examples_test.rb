require "test_helper"

class ExamplesTest < ActiveSupport::TestCase
  Rails.root.glob("examples/*.yml").each do |file|
    test "#{file.basename} can be launched as it is" do
      definition = YAML.load_file(file)
      provider = definition["provider"] == "ssh" ? { "provider" => "local" } : {} # hosts are somebody's own
      run = TestRun.from_definition(definition.merge(provider))

      assert_predicate run, :valid?, run.errors.full_messages.to_sentence
      assert_operator run.description.length, :>, 20
    end
  end
end
