require "test_helper"

class Machine::CalibrationTest < ActiveSupport::TestCase
  setup { @provider = providers(:local) }

  test "fewer than five calibrations are no normal" do
    4.times { |n| calibrate flush: 1_000 + n }
    fifth = calibrate(flush: 9_000)

    assert_nil fifth.normal("flush")
    assert_equal [ 4, [] ], [ fifth.known("flush"), fifth.departed ]
  end

  test "a machine leaves its normal above twice the median and above all before" do
    [ 1_000, 1_100, 1_200, 1_300, 2_500 ].each { |flush| calibrate flush: flush }

    assert_empty calibrate(flush: 1_790).departed
    assert_empty calibrate(flush: 2_400).departed
    left = calibrate(flush: 2_700)
    assert_equal [ "flush" ], left.departed
    assert_equal({ "median" => 1_300.0, "low" => 1_000.0, "high" => 2_500.0, "count" => 7 }, left.normal("flush"))
  end

  test "what left the normal never becomes a part of it" do
    5.times { calibrate flush: 1_000 }

    assert_equal [ [ "flush" ] ] * 4, Array.new(4) { calibrate(flush: 5_000).departed }
    assert_empty calibrate(flush: 1_000).departed
  end

  test "a network leaves its normal below" do
    5.times { |n| calibrate network: 1e8 + n, peer: "b" }

    assert_empty calibrate(network: 9e8, peer: "b").departed
    assert_equal [ "network" ], calibrate(network: 5e7, peer: "b").departed
    assert_empty calibrate(network: 5e7, peer: "c").departed, "another machine is at the other end"
  end

  test "a tenth of a millisecond makes no difference" do
    5.times { calibrate round_trip: 20, peer: "b" }

    assert_empty calibrate(round_trip: 119, peer: "b").departed
    assert_equal [ "round_trip" ], calibrate(round_trip: 121, peer: "b").departed
  end

  test "sites and folders have a normal each" do
    5.times { calibrate flush: 1_000, folder: "run" }

    assert_empty calibrate(flush: 9_000, folder: "/var/tmp").departed
    assert_empty calibrate(flush: 9_000, folder: "run", site: "10.0.0.2").departed
    assert_equal [ "flush" ], calibrate(flush: 9_000, folder: "run").departed
  end

  test "a deleted provider takes its calibrations along" do
    unused = Provider::Local.create!(name: "unused")
    Machine::Calibration.create! provider: unused, site: "10.0.0.1", flush: 1_000
    calibrate flush: 1_000

    assert_difference -> { Machine::Calibration.count }, -1 do
      assert unused.destroy, unused.errors.full_messages.to_sentence
    end
  end

  test "a forgotten normal is made anew" do
    5.times { calibrate flush: 1_000 }
    calibrate flush: 5_000
    normal = Machine::Normal.find(@provider.id, "10.0.0.1")
    assert_equal [ 5, 1_000.0 ], [ normal.count, normal.figure("flush").median ]

    normal.forget

    assert_nil Machine::Normal.find(@provider.id, "10.0.0.1")
    assert_equal [ 0, [] ], calibrate(flush: 5_000).then { |it| [ it.known("flush"), it.departed ] }
  end

  test "keeps a hundred calibrations of deleted runs, and those of runs" do
    first = calibrate(flush: 1, machine: machines(:finished_local))
    second = calibrate(flush: 1)
    101.times { calibrate flush: 1 }

    assert Machine::Calibration.exists?(first.id)
    assert_not Machine::Calibration.exists?(second.id)
    assert_equal 101, Machine::Calibration.count
  end

  test "outlives its machine" do
    calibration = calibrate(flush: 1, machine: machines(:finished_local))
    machines(:finished_local).destroy

    assert_nil calibration.reload.machine_id
  end

  private
    def calibrate(site: "10.0.0.1", **figures)
      Machine::Calibration.create! provider: @provider, site: site, **figures
    end
end
