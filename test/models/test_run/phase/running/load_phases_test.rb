require "test_helper"

class TestRun::Phase::Running::LoadPhasesTest < ActiveSupport::TestCase
  LOAD = [ { "for" => "20s", "name" => "before" }, { "for" => "10s", "takers" => "paused", "name" => "outage" },
    { "until" => "backlog = 0", "at_most" => "60s", "name" => "drain" }, { "for" => "5s", "name" => "after" } ]

  setup do
    freeze_time
    @run = test_runs(:running)
    @run.definition.load_phases = LOAD
    @run.definition.warmup, @run.definition.cooldown = 0, 0
    @run.load_starts_at = 31.seconds.ago
    @run.save! validate: false
    @run.samples.delete_all
    @told = []
    told = @told
    @under_test = System.default
    @under_test.define_singleton_method(:end_phase_of_load) do |_, jvms, number, at|
      told << [ number, at, jvms.size ]
    end
    @run = TestRun.find(@run.id)
    @phase = @run.phase
  end

  teardown { @under_test.singleton_class.remove_method :end_phase_of_load }

  test "the begin of each phase is recorded once, as clients tell it" do
    reach 1, 31
    follow
    follow
    assert_equal [ [ "before", 0 ] ], begins

    reach 2, 11
    follow
    assert_equal [ [ "before", 0 ], [ "outage", 20 ] ], begins
    assert_equal [ [ "phase", "Phase before" ], [ "phase", "Phase outage" ] ],
      @run.reload.outcome.marks.map { |mark| [ mark.kind, mark.words ] }
  end

  test "a phase counts once all clients have reached it" do
    reach 1, 31
    first_client.update! progress: first_client.progress.merge("load_part" => 2, "load_part_ms" => ms(11))
    follow

    assert_equal [ "before" ], begins.map(&:first)
  end

  test "phases that were too short to be seen are recorded with their planned begin" do
    reach 3, 1
    follow

    assert_equal [ [ "before", 0 ], [ "outage", 20 ], [ "drain", 30 ] ], begins
  end

  test "another worker records no phase again" do
    reach 1, 31
    follow
    @phase = TestRun.find(@run.id).phase
    follow

    assert_equal 1, begins.size
  end

  test "a phase with until ends once its condition holds" do
    reach 3, 10
    sample 9 => 400, 8 => 200, 7 => 0
    follow
    assert_empty @told, "nothing is known of the last seconds"

    sample 1 => 0, 0 => 20
    follow
    assert_empty @told

    travel 1.second
    sample 0 => 0
    follow
    assert_equal [ [ 3, 2 ] ], @told.map { |number, _, jvms| [ number, jvms ] }.uniq
    assert_operator @told.first.second, :>, Time.current.to_f * 1000
    assert_match "backlog = 0 holds, so the phase drain ends", @run.events.find_by!(name: "until_held").message

    travel 1.second
    sample 0 => 0
    follow
    assert_equal 1, @told.size, "clients are on their way"
  end

  test "a machine that is out of sight for a moment is told later" do
    tried = 0
    @under_test.define_singleton_method(:end_phase_of_load) do |machine, *|
      tried += 1
      raise Machine::Unreachable.new("no route", machine: machine)
    end
    reach 3, 10
    sample 2 => 0, 1 => 0, 0 => 0
    follow
    assert_operator tried, :>, 0
    assert_not @run.events.exists?(name: "until_held")

    once = tried
    travel 1.second
    sample 0 => 0
    follow
    assert_operator tried, :>, once
  end

  test "a load whose clients died is not said to have lasted as long as a condition may take" do
    reach 3, 10
    follow
    @phase.send(:clients).each { |client| client.update! state: "exited", exit_code: 137 }
    @phase.conclude_load

    assert_equal [ "The load ended in the phase drain: backlog = 0 did not hold" ],
      @run.events.where(name: "warning").pluck(:message)
  end

  test "a backlog as high as in the first phase is none" do
    reach 1, 31
    sample 25 => 40, 20 => 30
    follow
    reach 3, 5
    sample 1 => 41, 0 => 41
    follow
    assert_empty @told

    travel 2.seconds
    sample 1 => 38, 0 => 40
    follow
    assert_equal 1, @told.size
  end

  test "samples of the phase before do not end it" do
    reach 3, 0
    sample 2 => 0, 1 => 0, 0 => 0
    follow

    assert_empty @told
  end

  test "a condition that never held is a warning" do
    reach 3, 10
    follow
    reach 4, 1
    follow
    @phase.conclude_load

    assert_equal [ "Phase drain ended after 1min, its at_most: backlog = 0 did not hold" ],
      @run.events.where(name: "warning").pluck(:message)
  end

  test "so is one that did not hold by the end of the load" do
    @run.definition.load_phases = LOAD.first(3)
    @run.save! validate: false
    @phase = TestRun.find(@run.id).phase
    reach 3, 10
    follow
    2.times { @phase.conclude_load }

    assert_equal 1, @run.events.where(name: "warning").count
  end

  private
    def first_client
      @phase.send(:clients).first
    end

    # Lets all clients tell that they have reached a phase so many seconds ago.
    def reach(number, seconds)
      @phase.send(:clients).each do |client|
        client.update! state: "running", progress: client.progress.merge("load_part" => number,
          "load_part_ms" => ms(seconds) + client.machine.clock_offset.to_f)
      end
    end

    def ms(seconds)
      (Time.current.to_f * 1000).round - 1000 * seconds
    end

    # backlogs are { seconds ago => messages }.
    def sample(backlogs)
      backlogs.each { |ago, backlog| @run.samples.create! at: ago.seconds.ago, figures: { "backlog" => backlog } }
    end

    def follow
      @phase.follow_load true
    end

    def begins
      @run.events.where(name: "load_phase").order(:id)
        .map { |event| [ event.message.delete_prefix("Phase "), (event.created_at - @run.load_starts_at).round ] }
    end
end
