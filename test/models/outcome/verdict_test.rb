require "test_helper"

class Outcome::VerdictTest < ActiveSupport::TestCase
  GOOD = { "verdict" => "good", "check" => "All clients worked", "reason" => "2 client JVMs" }
  DEAD = { "verdict" => "rejected", "check" => "Every JVM lived to the end", "reason" => "broker_1 died at 1:12" }

  setup do
    @run = test_runs(:finished)
    @run.thresholds = [ "p99 < 500 ms", "errors < 1 %" ]
    @run.figures = { "examined" => true, "checks" => [ GOOD, GOOD ], "exact" => { "p99" => 20_000 }, "ok" => 100,
      "errors" => 0 }
  end

  test "accepts what passes all checks and limits" do
    assert_verdict "accepted", "All 2 checks passed, and all 2 thresholds are met."

    @run.figures["checks"] << GOOD.merge("verdict" => "warning") << GOOD.merge("verdict" => "note")
    @run.thresholds = []
    assert_verdict "accepted", "None of 4 checks rejects it, with 1 warning."
  end

  test "shows a broken threshold with figure and excess" do
    @run.figures["exact"]["p99"] = 612_000
    assert_verdict "threshold_broken", "p99 was 612.0 ms, but must be below 500 ms: 22 % over."
    assert_equal [ "1 of 2 thresholds broken" ], @run.verdict.against.map(&:text)

    @run.thresholds = [ "throughput > 100 /s" ]
    @run.figures["exact"]["throughput"] = 80
    assert_verdict "threshold_broken", "Throughput was 80.0 /s, but must be above 100 /s: 20 % under."
  end

  test "names the most broken limit first" do
    @run.figures["exact"]["p99"] = 612_000
    @run.figures["errors"] = 300
    assert_match "Errors were 75.0 %, but must be below 1 %: 75 times the limit.", @run.verdict.reason
  end

  test "a rejecting check is named beside the broken limit" do
    @run.figures["checks"] << DEAD
    assert_verdict "not_accepted", "The check “Every JVM lived to the end” failed: broker_1 died at 1:12."

    @run.figures["exact"]["p99"] = 3_182_000
    assert_verdict "not_accepted",
      "p99 was 3,182 ms, but must be below 500 ms: 6.4 times the limit. " \
        "The check “Every JVM lived to the end” failed: broker_1 died at 1:12."
    assert_equal [ "1 of 3 checks not passed", "1 of 2 thresholds broken" ], @run.verdict.against.map(&:text)
  end

  test "says first what other programs took, where that explains the rest" do
    others = { "verdict" => "warning", "check" => "Other programs",
      "reason" => "they took 71 % of the processors of local (cc1plus 60 %)" }
    late = { "verdict" => "rejected", "check" => "Late starts", "reason" => "9,000 requests, 2 %" }
    @run.figures["checks"] = [ GOOD, late, others ]
    assert_verdict "not_accepted", "Other programs took 71 % of the processors of local (cc1plus 60 %): close them, " \
      "and run again. The check “Late starts” failed: 9,000 requests, 2 %."
    assert_equal [ "Late starts" ], @run.verdict.complaints.map(&:title)
    assert_equal [ "Run again", "Run again with half the rate" ], @run.verdict.remedies.map(&:label)

    @run.figures["checks"], @run.thresholds = [ GOOD, others ], []
    assert_verdict "accepted", "None of 2 checks rejects it, with 1 warning. Other programs took 71 % of the " \
      "processors of local (cc1plus 60 %)."

    ourselves = others.merge("reason" => "they took 15 % of the processors of local (Testmaster 11 %, cc1plus 4 %)")
    @run.figures["checks"] = [ late, ourselves ]
    assert_match "(Testmaster 11 %, cc1plus 4 %): choose other machines or fewer JVMs, and run again.",
      @run.verdict.reason
    @run.figures["checks"] = [ DEAD, others ]
    assert_no_match "Other programs", @run.verdict.reason, "they kill no broker"
    @run.figures["checks"] = [ late, others.merge("verdict" => "good") ]
    assert_no_match "Other programs", @run.verdict.reason
  end

  test "says which checks could not decide" do
    @run.figures["checks"] << GOOD.merge("verdict" => "unknown", "check" => "Steady state",
      "reason" => "9 s is too short")
    @run.thresholds = []

    assert_verdict "accepted", "None of 3 checks rejects it. “Steady state” could not be checked."
  end

  test "a failed or cancelled run ignores checks and limits" do
    @run.figures["checks"] << DEAD
    @run.assign_attributes state: "cancelled", cancelled_at: @run.load_starts_at + 20
    assert_verdict "cancelled", "Cancelled after 20s of load. The figures up to then are kept, and are partial."

    @run.assign_attributes state: "failed", failed_phase: "running", error: "broker_1 was killed by signal 9\nIts log"
    assert_verdict "failed", "Failed while running: broker_1 was killed by signal 9."
  end

  test "gives no verdict before or without the analysis" do
    @run.figures = @run.figures.except("examined").merge("exact" => { "p99" => 900_000 })
    @run.archive.attach io: StringIO.new("PK"), filename: "test_run.zip", content_type: "application/zip"
    assert_verdict "examining", "The logs are being examined. Checks and exact figures follow."

    @run.figures = { "examined" => true, "not_examined" => "the zip is cut off" }
    assert_verdict "unknown", "The logs could not be examined: the zip is cut off."

    @run.figures = { "examined" => true, "checks" => [ GOOD ] }
    assert_verdict "unknown", "p99 < 500 ms and errors < 1 % could not be measured."
  end

  test "a run that has not ended has no verdict" do
    assert_nil test_runs(:running).verdict
    assert_nil test_runs(:draft).verdict
  end

  test "runs are found and sorted by their verdict" do
    @run.save!
    test_runs(:failed).update! error: "another"
    assert_equal [ @run ], TestRun.search("verdict:accepted").to_a
    assert_equal [ test_runs(:failed) ], TestRun.search("verdict:failed").to_a
    assert_empty TestRun.search("verdict:threshold-broken")

    @run.update! figures: @run.figures.merge("exact" => { "p99" => 612_000 })
    assert_equal [ @run ], TestRun.search("verdict:threshold-broken").to_a
    assert_equal %w[ failed threshold_broken ],
      TestRun.where.not(verdict_name: nil).sorted_by("verdict").pluck(:verdict_name)
  end

  private
    def assert_verdict(name, reason)
      assert_equal [ name, reason ], [ @run.verdict.name, @run.verdict.reason ]
    end
end
