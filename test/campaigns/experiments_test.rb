require "test_helper"

class ExperimentsTest < ActiveSupport::TestCase
  test "killed and steered experiments end well" do
    output = IO.popen([ Rails.root.join("test/campaigns/experiments").to_s, "--kills", "4", err: [ :child, :out ] ],
      &:read)

    assert_predicate $?, :success?, output
    assert_match(/4 kills, .*: 0 complaints/, output)
  end

  test "wrong usage prints one line" do
    output = IO.popen([ Rails.root.join("test/campaigns/experiments").to_s, "--kils", "3", err: [ :child, :out ] ],
      &:read)

    assert_equal 2, $?.exitstatus
    assert_match "usage: test/campaigns/experiments", output
  end
end
