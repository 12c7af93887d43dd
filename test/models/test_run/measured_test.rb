require "test_helper"

class TestRun::MeasuredTest < ActiveSupport::TestCase
  setup do
    @run = test_runs(:running)
    @run.samples.delete_all
    TestRun::Step.where(test_run: @run).delete_all
  end

  test "lines run over the time of the load, as means or as the worst" do
    @run.update! duration: 480 # two seconds to a step
    sample 0.5, rate: 10, p99: 5
    sample 1.5, rate: 20, p99: 9
    sample 2.5, rate: 40, p99: nil

    assert_equal [ [ 0.0, 15.0 ], [ 2.0, 40.0 ] ], @run.lines["rate"]
    assert_equal [ [ 0.0, 9.0 ] ], @run.lines["p99"]
  end

  test "what was measured so far is the same as what all samples say" do
    @run.update! duration: 960, warmup: 5, cooldown: 5 # four seconds to a step
    20.times do |second|
      sample second + 0.5, rate: 100 + second, mean: 1000, p99: 5000 + second, ok: second * 100, errors: second, late: 0
    end
    so_far, exact = @run.measurement, @run.send(:measure, @run.send(:seconds_measured))

    assert_equal [ 15, 112.0, 1000.0 ], [ so_far["seconds"], so_far["rate"]["value"], so_far["mean"]["value"] ]
    assert_equal exact.slice("seconds", "ok", "errors", "late"), so_far.slice("seconds", "ok", "errors", "late")
    assert_in_delta exact["p99"]["value"], so_far["p99"]["value"], 2
  end

  test "figures are kept when the run ends, and read from there" do
    @run.update! warmup: 2, duration: 10
    4.times { |second| sample second + 0.5, rate: second * 10 }
    @run.update! state: "finished", ended_at: Time.current
    @run.samples.delete_all

    assert_equal 25.0, TestRun.find(@run.id).measurement.dig("rate", "value")
    assert_equal "unknown", TestRun.find(@run.id).verdict_name, "there are no logs"
  end

  test "the load of a run that is cancelled lasts until then, not until its logs are collected" do
    @run.update! cancelled_at: @run.load_starts_at + 3, ended_at: @run.load_starts_at + 9

    assert_equal 3, @run.seconds_of_load
  end

  test "a run without load has neither lines nor figures" do
    @run.update! load_starts_at: nil

    assert_empty @run.lines.values.flatten
    assert_empty @run.measurement
  end

  private
    def sample(second, **figures)
      Sample.create! test_run: @run, at: @run.load_starts_at + second, figures: figures
    end
end
