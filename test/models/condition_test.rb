require "test_helper"

class ConditionTest < ActiveSupport::TestCase
  test "reads each case as the log analyzer reads it" do
    Condition::VOCABULARY["cases"].each do |row|
      text, judge = row.values_at("text", "judge")
      condition = Condition.new(text, judge)
      if row["error"]
        assert_operator condition.complaint.to_s, :start_with?, row["error"], text
        next
      end

      assert_nil condition.complaint, text
      assert_equal row["figure"], condition.state? ? Condition::STEADY : condition.figure.name, text
      assert_equal [ row["relation"], row["change"] || row["limit"] ], [ condition.relation, condition.limit ],
        text if row["relation"]
    end
  end

  test "holds according to its relation" do
    held = %w[ < <= = >= > ].map do |sign|
      [ 0.5, 1, 2 ].map { |value| Condition.new("errors #{sign} 1 %", :exact).holds?(value) }
    end

    assert_equal [ [ true, false, false ], [ true, true, false ], [ false, true, false ], [ false, true, true ],
      [ false, false, true ] ], held
  end

  test "a missing figure never meets a condition" do
    assert Condition.new("p99 < 50 ms", :try).kept_by?({ "p99" => 49.9 })
    assert_not Condition.new("p99 < 0.05 s", :try).kept_by?({ "p99" => 50 })
    assert_not Condition.new("p99 < 50 ms", :try).kept_by?({})
    assert Condition.new("queue steady", :try).kept_by?({ "queue steady" => 1.0 })
    assert_not Condition.new("queue steady", :try).kept_by?({ "queue steady" => 0.0 })
  end

  test "suggests a figure for a misspelt one" do
    assert_match(/; did you mean throughput\?\z/, Condition.new("thruput > 5 /s", :exact).complaint)
    assert_match(/; did you mean queue steady\?\z/, Condition.new("queue steadi", :try).complaint)
    assert_no_match(/did you mean/, Condition.new("p99 < 5 %", :exact).complaint)
  end
end
