require "test_helper"

class ExperimentsTest < ActiveSupport::TestCase
  test "experiments that people and kills meddle with end, each run once, none after a cancellation" do
    output = IO.popen([ Rails.root.join("test/campaigns/experiments").to_s, "--kills", "4", err: [ :child, :out ] ],
      &:read)

    assert_predicate $?, :success?, output
    assert_match(/4 kills, .*: 0 complaints/, output)
  end

  test "wrong usage is told in a line" do
    output = IO.popen([ Rails.root.join("test/campaigns/experiments").to_s, "--kils", "3", err: [ :child, :out ] ],
      &:read)

    assert_equal 2, $?.exitstatus
    assert_match "usage: test/campaigns/experiments", output
  end
end
