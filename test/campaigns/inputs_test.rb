require "test_helper"

class InputsCampaignTest < ActiveSupport::TestCase
  test "a few inputs are answered without complaints" do
    output = campaign("--cases", "3")

    assert_predicate $?, :success?, output
    assert_match "3 of 3 inputs, 0 complaints", output
  end

  test "wrong usage prints one line" do
    output = campaign("--casse", "3")

    assert_equal 2, $?.exitstatus
    assert_match "usage: test/campaigns/inputs", output
  end

  private
    def campaign(*arguments)
      IO.popen([ Rails.root.join("test/campaigns/inputs").to_s, *arguments, err: [ :child, :out ] ], &:read)
    end
end
