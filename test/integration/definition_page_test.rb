require "test_helper"

# docs/reference/definition.md names every word of a definition.
class DefinitionPageTest < ActiveSupport::TestCase
  test "the page has exactly the words of a definition" do
    told = Rails.root.join("docs/reference/definition.md").read[/^## Words$.*?^## /m].scan(/^\| (`.*?) \|/).flatten
      .flat_map { |cell| cell.scan(/`(\w+)`/).flatten }

    words = [ *Definition::Words::HEAD, *Definition.words, *Definition::BrokerGroup.words,
      *Definition::ClientGroup.words ]
    assert_equal [ *words.map(&:name), "scale" ].uniq.sort, told.uniq.sort
  end

  test "the page has valid conditions and all figures" do
    page = Rails.root.join("docs/reference/definition.md").read
    assert_operator page.scan(/`([a-z][\w.]* (?:<|<=|>|>=|=) [^`]+)`/).flatten.count { |text|
      Condition.new(text, :exact).valid? }, :>, 4

    rows = page.scan(/^\| (`.*) \| ([^|]*) \| (yes|no) \| (yes|no) \| (yes|no) \| (yes|no) \|$/)
    known = rows.flat_map do |names, units, *answers|
      names.scan(/`([\w. ]+)`/).flatten.map { |name| [ name, units, answers ] }
    end
    %w[ exact live try comparison ].zip(0..).each do |judge, n|
      told = known.select { |_, _, answers| answers[n] == "yes" }.map { |name, *| Figure[name]&.name || name }.uniq
      assert_equal told.sort, [ *Figure.names(judge), "p99.9",
        *Condition::STATES.select { |_, judges| judge.in?(judges) }.keys ].sort, judge
    end
    known.select { |name, *| Figure[name] }.each do |name, units, _|
      assert_equal Figure[name].units.keys.without("1/s").join(", "), units, name
    end
  end
end
