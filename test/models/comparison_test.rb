require "test_helper"

class ComparisonTest < ActiveSupport::TestCase
  setup do
    @baseline = run_with_logs(name: "Before")
    @slower = run_with_logs(name: "After", slower: 1.5, seed: 2)
  end

  test "a difference names the default system" do
    mlmq, other = test_runs(:finished), test_runs(:failed)
    change_group other, :broker, system: "rabbitmq", settings: {}
    rows = Comparison::Differences.new([ mlmq, other ].zip(%w[ A B ]).map { |run, letter|
      Struct.new(:letter, :test_runs).new(letter, [ run ]) }).rows

    assert_includes rows.pluck("name", "values"), [ "system", { "A" => "mlmq", "B" => "rabbitmq" } ]
  end

  test "tells what is worse by how much, and draws it" do
    change_group @slower, :client, settings: { "rate" => "200/s" }
    comparison = Comparison.create!(sides: [ @baseline.id, @slower.id ], limits: [ "p99 > +10 %", "errors > 1 %" ])
    comparison.perform

    assert_predicate comparison.reload, :completed?, comparison.error
    mean = comparison.results["figures"].find { |figure| figure["figure"] == "mean" }
    assert_in_delta 5_000, mean["sides"]["A"]["value"], 50
    assert_equal "worse", mean["sides"]["B"]["verdict"]
    assert_in_delta 50, mean["sides"]["B"]["percent"], 2
    assert_operator mean["sides"]["B"]["low"], :<, mean["sides"]["B"]["value"]
    assert_includes %w[ mean median p95 p99 ], comparison.results["figures"].first["figure"]
    assert_equal [ [ "rate", { "A" => nil, "B" => "200/s" } ] ],
      comparison.results["differs"].map { |row| row.values_at("name", "values") }
    assert_equal [ "p99 > +10 %" ], comparison.broken_limits.map { |limit| limit["limit"] }
    assert_equal %w[ comparison throughput response_time spectrum ], comparison.picture_names.first(4)
    assert_match "#1a1b1f", comparison.picture("throughput", "dark").download
    assert_match "worse", comparison.to_csv

    comparison.rebase "B"
    comparison.perform
    assert_equal [ @slower.id, @baseline.id ], comparison.reload.sides.flat_map(&:entries).map(&:number)
    mean = comparison.results["figures"].find { |figure| figure["figure"] == "mean" }
    assert_equal "better", mean["sides"]["B"]["verdict"]
    assert_operator comparison.worse_by, :<, 0
  end

  test "repetitions are one side, and equal runs are noise" do
    again = run_with_logs(name: "Before", seed: 3)
    comparison = Comparison.create!(sides: [ [ @baseline.id, again.id ], run_with_logs(name: "Same", seed: 4).id ])
    comparison.perform

    assert_predicate comparison.reload, :completed?, comparison.error
    mean = comparison.results["figures"].find { |figure| figure["figure"] == "mean" }
    assert_operator mean["sides"]["B"]["percent_seen"], :>, 0
    assert_empty comparison.results["differs"]
    assert_equal [ "within noise" ],
      comparison.results["figures"].map { |figure| figure["sides"]["B"]["verdict"] }.uniq - [ "no interval" ]
    assert_nil comparison.main_change
    assert_equal 0, comparison.worse_by
  end

  test "an undecidable limit is a warning" do
    message = "B: p99.9 is 30 us, 20 us at A (+50 %), but that cannot be told"
    cases = [ { "side" => "B", "limit" => "p99.9 > +10 %", "untold" => message } ]
    comparison = Comparison.new(sides: [ @baseline.id, @slower.id ])
    comparison.results = Comparison::Findings.new(comparison, [], cases).to_h

    assert_empty comparison.broken_limits
    assert_includes comparison.results["warnings"], message
  end

  test "warns of what makes runs hard to compare" do
    rejected = { "verdict" => "rejected", "check" => "All", "reason" => "none" }
    @slower.update! figures: @slower.figures.merge("checks" => [ rejected ], "seconds" => 3)
    @baseline.update! figures: @baseline.figures.merge("seconds" => 10)
    { @baseline => 2, @slower => 16 }.each do |run, cpus|
      run.machines.create! name: "local", role: "all", state: "released", provider: providers(:local),
        facts: { cpus: cpus }
    end
    sides = Comparison.new(sides: [ @baseline.id, @slower.id ]).sides

    work = { "figure" => "fixed_work", "run" => "B", "baseline" => 3_000.0, "value" => 4_206.0, "percent" => 40.2,
      "verdict" => "worse" }
    noise = work.merge("run" => "C", "percent" => 9.0)
    unsound, hardware, speed, spans = Comparison::Warnings.new(sides, [ work, noise ]).to_a
    assert_match(/B, run #{@slower.id}: not accepted/, unsound)
    assert_match(/different hardware: machine, cpus/, hardware)
    assert_match(/machines of B were slower: .* took 4.21 ms of processor time, 3.0 ms in A/, speed)
    assert_match(/A 10 s and B 3 s/, spans)
  end

  test "only ended runs with logs and valid limits compare" do
    id = @baseline.id
    { [ id ] => /at least two/, [ id, id ] => /twice/, [ id, 7 ] => /no test run 7/,
      [ id, test_runs(:running).id ] => /has not ended/, [ id, test_runs(:finished).id ] => /no logs/,
      [ { "a" => 1 }, id ] => /no test run/ }.each do |sides, complaint|
      assert_match complaint, Comparison.new(sides: sides).tap(&:validate).errors.full_messages.to_sentence
    end
    [ "p99 > 3 %", "speed > +1 %", "p99 ~ 3", "errors > 3 ms", "p99 > +3 ms",
      "cpu_brokers > 5 MB/s", "disk_written > 5 %" ].each do |limit|
      comparison = Comparison.new(sides: [ @baseline.id, @slower.id ], limits: [ limit ])
      assert_predicate comparison.tap(&:validate).errors[:limits], :any?, limit
    end
  end

  test "costs have limits but are not the change in lists" do
    [ "cpu_brokers > +10 %", "late > 1 %", "disk_written > 5 MB/s", "fixed_work > 4 ms" ].each do |limit|
      comparison = Comparison.new(sides: [ @baseline.id, @slower.id ], limits: [ limit ])
      assert_empty comparison.tap(&:validate).errors[:limits], limit
    end
    worse = { "percent" => 60.0, "verdict" => "worse" }
    comparison = Comparison.new(sides: [ @baseline.id, @slower.id ], results: { "figures" => [
      { "figure" => "cpu_brokers", "sides" => { "B" => worse } },
      { "figure" => "p99", "sides" => { "B" => worse.merge("percent" => 12.0) } } ] })
    assert_equal "p99", comparison.main_change["figure"]

    comparison.results["figures"].pop
    assert_nil comparison.main_change
    assert_not_predicate comparison, :changed?
  end

  test "fails without logs, and survives a deleted run" do
    comparison = Comparison.create!(sides: [ @baseline.id, @slower.id ])
    @slower.archive.purge
    comparison.perform
    assert_equal "Run #{@slower.id} has no logs. Compare the others.", comparison.reload.error

    number = @slower.id
    @slower.destroy!
    assert_equal [ number ], comparison.reload.sides.last.deleted.map(&:number)
    assert_equal "After", comparison.sides.last.name
  end

  test "cancelling ends the process of the log analyzer" do
    comparison = Comparison.create!(sides: [ @baseline.id, @slower.id ])
    pid = Rails.root.join("tmp/test/pid_of_comparison_#{Process.pid}")
    comparison.define_singleton_method(:compare) { |*| "echo $$ > #{pid}; exec sleep 600" }
    cancelling = Thread.new do
      await { pid.exist? && pid.read.present? }
      Comparison.where(id: comparison).update_all cancelled_at: Time.current
    end
    comparison.perform
    cancelling.join

    assert_predicate comparison.reload, :cancelled?
    assert_raises(Errno::ESRCH) { Process.kill 0, Integer(pid.read) }
  ensure
    pid&.delete if pid&.exist?
  end

  test "a waiting comparison is cancelled at once" do
    comparison = Comparison.create!(sides: [ @baseline.id, @slower.id ])
    comparison.cancel
    comparison.perform

    assert_predicate comparison.reload, :cancelled?
  end
end
