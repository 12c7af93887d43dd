require "test_helper"

class CheckTest < ActiveSupport::TestCase
  test "each check has a meaning, a limit with its bounds, and a remedy" do
    Check.all.each do |check|
      assert_match(/\A[A-Z].*\.\z/, check.meaning, check.title)
      assert_match(/\A[A-Z].*\.\z/, check.advice, check.title)
      assert_no_match(/%\{/, check.limit, check.title)
      assert_empty check.remedies - Outcome::Remedy::KINDS, check.title
    end
    assert_equal "at most 1 % of the requests of each client JVM, by the client itself",
      Check.new("check" => "Late starts").limit
  end

  test "a check of an earlier version has no explanation" do
    check = Check.new("check" => "Colour", "verdict" => "rejected", "reason" => "it was green")

    assert_equal [ "It was green.", nil, nil, nil, [] ],
      [ check.reason, check.limit, check.meaning, check.advice, check.remedies ]
    assert_not check.disturbed?
  end
end
