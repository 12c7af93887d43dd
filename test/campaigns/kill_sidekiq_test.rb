require "test_helper"

class KillSidekiqTest < ActiveSupport::TestCase
  test "runs survive killed workers" do
    output = IO.popen([ Rails.root.join("test/campaigns/kill_sidekiq").to_s, "--kills", "6", err: [ :child, :out ] ],
      &:read)

    assert_predicate $?, :success?, output
    assert_match "6 kills, 0 complaints", output
  end

  test "a run survives cut database connections" do
    output =
      IO.popen([ Rails.root.join("test/campaigns/kill_sidekiq").to_s, "--kills", "6", "--cut", err: [ :child, :out ] ],
        &:read)

    assert_predicate $?, :success?, output
    assert_match "6 kills, 0 complaints", output
  end

  test "wrong usage prints one line" do
    output = IO.popen([ Rails.root.join("test/campaigns/kill_sidekiq").to_s, "--kils", "3", err: [ :child, :out ] ],
      &:read)

    assert_equal 2, $?.exitstatus
    assert_match "usage: test/campaigns/kill_sidekiq", output
  end
end
