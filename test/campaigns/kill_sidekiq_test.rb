require "test_helper"

class KillSidekiqTest < ActiveSupport::TestCase
  test "six workers killed with -9, in phase after phase, and every run ends well" do
    output = IO.popen([ Rails.root.join("test/campaigns/kill_sidekiq").to_s, "--kills", "6", err: [ :child, :out ] ],
      &:read)

    assert_predicate $?, :success?, output
    assert_match "6 kills, 0 complaints", output
  end

  test "connections to PostgreSQL cut in phase after phase, and the run ends well" do
    output =
      IO.popen([ Rails.root.join("test/campaigns/kill_sidekiq").to_s, "--kills", "6", "--cut", err: [ :child, :out ] ],
        &:read)

    assert_predicate $?, :success?, output
    assert_match "6 kills, 0 complaints", output
  end

  test "wrong usage is told in a line" do
    output = IO.popen([ Rails.root.join("test/campaigns/kill_sidekiq").to_s, "--kils", "3", err: [ :child, :out ] ],
      &:read)

    assert_equal 2, $?.exitstatus
    assert_match "usage: test/campaigns/kill_sidekiq", output
  end
end
