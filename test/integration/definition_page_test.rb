require "test_helper"

# docs/definition.md names every word that a definition may have.
class DefinitionPageTest < ActiveSupport::TestCase
  test "every word of a definition and of a group is on the page" do
    page = Rails.root.join("docs/definition.md").read

    [ *TestRun::Definable::WORDS, *TestRun::Definable::GROUP_WORDS.keys ].each { |word| assert_match "`#{word}`", page }
  end

  test "its thresholds and conditions are ones" do
    page = Rails.root.join("docs/definition.md").read

    Threshold::EXAMPLES.each { |example| assert_match "`#{example}`", page }
    assert_match "`#{AbortCondition::EXAMPLES.first}`", page
  end
end
