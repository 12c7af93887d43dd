require "test_helper"

class Outcome::RemedyTest < ActiveSupport::TestCase
  setup { @run = test_runs(:finished) }

  test "halves the rate of an open load" do
    @run.definition.client_groups.sole.settings = { "rate" => "101/s to 2000/min over 10min", "message.size" => "100" }
    remedy = Outcome::Remedy.new(@run, "half_load")

    assert_equal "Run again with half the rate", remedy.label
    assert_equal({ "rate" => "50.5/s to 1000/min over 10min", "message.size" => "100" },
      remedy.draft.definition.client_groups.sole.settings)
    assert_equal "101/s to 2000/min over 10min", @run.definition.client_groups.sole.settings["rate"]
  end

  test "halves the clients of a closed load, and keeps pairs" do
    group = @run.definition.client_groups.sole
    group.settings = {}
    { 30 => 14, 15 => 7, 4 => 2 }.each do |before, after|
      group.client_count = before
      remedy = Outcome::Remedy.new(@run, "half_load")
      assert_equal [ "Run again with half the clients", after ],
        [ remedy.label, remedy.draft.definition.client_groups.sole.client_count ]
    end
    group.client_count = 2
    assert_not Outcome::Remedy.new(@run, "half_load").possible?, "one of a pair cannot be alone"
  end

  test "removes the rate of an open load" do
    @run.definition.client_groups.sole.settings = { "rate" => "100/s", "rate.of" => "client", "message.size" => "100" }
    remedy = Outcome::Remedy.new(@run, "without_rate")

    assert_equal [ "Run again without a rate", { "message.size" => "100" } ],
      [ remedy.label, remedy.draft.definition.client_groups.sole.settings ]
    @run.definition.client_groups.sole.settings = {}
    assert_not Outcome::Remedy.new(@run, "without_rate").possible?
  end

  test "warms up longer, and measures as long" do
    draft = Outcome::Remedy.new(@run, "longer_warmup").draft

    assert_equal @run.steady_duration, draft.steady_duration
    assert_equal @run.warmup + 30, draft.warmup
    assert_equal @run.name, draft.name
    assert draft.save, draft.errors.full_messages.to_sentence
  end

  test "offers those of the checks that did not pass, once each" do
    checks = [ "Late starts", "Steady state", "Clocks agree" ].map { |title| Check.new("check" => title) }

    assert_equal %w[ half_load again longer_warmup ], Outcome::Remedy.for(@run, checks).map(&:kind)
  end
end
