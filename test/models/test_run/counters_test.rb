require "test_helper"

class TestRun::CountersTest < ActiveSupport::TestCase
  Counters = TestRun::Database::Counters

  test "counters become rates, shares and current values" do
    before, after = read, read
    after.values.merge! "seconds" => before.values["seconds"] + 10, "commits" => before.values["commits"] + 50,
      "wal" => before.values["wal"] + 20_480, "hit" => before.values["hit"] + 99,
      "read" => before.values["read"] + 1, "dead" => 7.0
    figures = after.since(before)

    assert_in_delta 5, figures["commits"], 0.1
    assert_in_delta 2048, figures["wal"], 50
    assert_equal [ 99, 7 ], figures.values_at("cache", "dead")
    assert_operator figures["locks_held"], :>=, 0
  end

  test "a reset counter or a long gap has no rate" do
    before = Counters.new("seconds" => 0.0, "commits" => 100.0, "hit" => 5.0, "read" => 5.0, "wal" => nil)
    after = Counters.new("seconds" => 10.0, "commits" => 3.0, "hit" => 5.0, "read" => 5.0, "wal" => 9.0)

    assert_equal [ nil, nil, nil ], after.since(before).values_at("commits", "cache", "wal")
    assert_nil Counters.new("seconds" => 31.0).since(before)
    assert_nil Counters.parse("psql: \"no\xff")
    assert_nil Counters.parse("")
  end

  test "ignores absurd figures and excess text" do
    names, values = "seconds,commits,wal,dead,hit", "10,1e999,NaN,-1e300,7"
    assert_equal({ "seconds" => 10.0, "commits" => nil, "wal" => nil, "dead" => nil, "hit" => 7.0 },
      Counters.parse("#{names}\n#{values}\n#{"x" * 1_000_000}").values)
  end

  private
    def read
      connection, said = ApplicationRecord.connection.raw_connection, +""
      connection.copy_data("COPY (#{Counters::SQL}) TO STDOUT WITH (FORMAT csv, HEADER)") do
        while row = connection.get_copy_data
          said << row
        end
      end
      Counters.parse(said)
    end
end
