require "test_helper"

class GlossaryTest < ActiveSupport::TestCase
  test "has the terms of the page, each with a sentence" do
    assert_equal "The response time that 50, 95 or 99 % of the requests do not exceed.", Glossary["p99"]
    assert_operator Glossary.terms.size, :>, 30
    assert_not_includes Glossary.terms.keys, "term"
    Glossary.terms.each_value { |meaning| assert_match(/\A[A-Z].*\.\z/, meaning) }
  end

  test "a term that the page lacks is an error" do
    assert_raises(KeyError) { Glossary["no such term"] }
  end
end
