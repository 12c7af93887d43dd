require "test_helper"

class TestRun::Phase::Running::BacklogTest < ActiveSupport::TestCase
  Client = Struct.new(:name, :progress, :machine, :over?)
  At = Struct.new(:clock_offset)

  setup { @backlog = TestRun::Phase::Running::Backlog.new }

  test "counts of clients that told at different times are those of one instant" do
    assert_equal 100, told(client("a", 1_000, sent: 100), client("b", 1_000, received: 0))
    assert_equal 150, told(client("a", 2_000, sent: 200), client("b", 1_500, received: 0)), "at 1,500 ms"
    assert_equal 100, told(client("a", 2_000, sent: 200), client("b", 2_500, received: 200)), "at 2,000 ms"
  end

  test "clocks of machines are compared" do
    told client("a", 1_000, sent: 0), client("b", 6_000, received: 0, offset: 5_000)

    assert_equal 50, told(client("a", 2_000, sent: 100), client("b", 6_500, received: 0, offset: 5_000))
  end

  test "a client that has ended keeps its counts" do
    assert_equal 70, told(client("a", 1_000, sent: 100, over: true), client("b", 9_000, received: 30))
  end

  test "is unknown where a client tells no counts" do
    assert_nil told(client("a", 1_000, sent: 1), Client.new("b", { "ms" => 1_000 }, At.new(0), false))
    assert_equal 0, told(client("a", 1_000, sent: 1), client("b", 1_000, received: 5)), "taken from the initial filling"
  end

  test "a filled database has a backlog above its lowest level, which another worker continues" do
    @backlog = TestRun::Phase::Running::Backlog.new(filled: true)
    assert_equal 0, told(client("a", 1_000, sent: 100), client("b", 1_000, received: 600))
    assert_equal 300, told(client("a", 2_000, sent: 400), client("b", 2_000, received: 600))
    assert_equal(-500, @backlog.lowest)

    @backlog = @backlog.class.new(filled: true, lowest: @backlog.lowest)
    assert_equal 300, told(client("a", 2_000, sent: 400), client("b", 2_000, received: 600))
  end

  private
    def told(*clients)
      @backlog.told clients
    end

    def client(name, ms, sent: 0, received: 0, offset: nil, over: false)
      Client.new(name, { "ms" => ms, "sent" => sent, "received" => received }, At.new(offset), over)
    end
end
