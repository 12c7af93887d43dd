require "test_helper"
require "support/gallery"

# A newcomer reads the pages of the guide one after the other. bin/screenshots --guide takes their pictures.
class GuideTest < ActiveSupport::TestCase
  FOLDER = Rails.root.join("docs/guide")

  setup { @pages = FOLDER.glob("*.md").to_h { |path| [ path.basename.to_s, path.read ] } }

  test "README lists every page" do
    assert_equal @pages.keys.sort, Rails.root.join("README.md").read.scan(%r{docs/guide/(\w+\.md)}).flatten.sort
  end

  test "each page leads to the next one" do
    read = [ "first_run.md" ]
    while following = @pages.fetch(read.last)[/^Next: \[.*\]\((\w+\.md)\)/, 1] do read << following end

    assert_equal %w[ first_run.md first_comparison.md first_experiment.md first_what_if.md ], read
  end

  test "each picture is taken by bin/screenshots and shown on a page" do
    shown = @pages.values.flat_map { |text| text.scan(/!\[.+\]\((\w+)\.png\)/) }.flatten

    assert_equal Gallery::GUIDE.keys.sort, shown.sort
    assert_equal Gallery::GUIDE.keys.sort, FOLDER.glob("*.png").map { |path| path.basename(".png").to_s }.sort
  end

  test "the run of the first what-if has a model" do
    definition = YAML.safe_load(@pages.fetch("first_what_if.md")[/<<END\n(.*?)^END$/m, 1])
    run = TestRun.from_definition({ "name" => "", "provider" => "local", **definition })

    assert_predicate run, :valid?, run.errors.full_messages.to_sentence
    assert_nil run.definition.offered_load
  end
end
