require "test_helper"

class TestRun::Phase::Running::SecondsTest < ActiveSupport::TestCase
  Client = Struct.new(:name, :seen_times, :progress)
  P95 = [ Figure["p95"] ]

  setup { @seconds = TestRun::Phase::Running::Seconds.new }

  test "counts only the times between two reads" do
    assert_nil told(client("client_0", 5 => 1_000)), "the first read"
    assert_equal({ "count" => 100, "p95" => 7 }, told(client("client_0", 5 => 1_000, 7 => 100)))
    assert_nil told(client("client_0", 5 => 1_000, 7 => 100)), "no responses"
  end

  test "failed requests count as the longest" do
    told client("client_0", 5 => 1_000, errors: 50)

    assert_equal({ "count" => 100, "at_least" => { "p95" => 7 } },
      told(client("client_0", 5 => 1_000, 7 => 100, errors: 60)))
  end

  test "a client's first read makes the second unknown" do
    told client("client_0", 5 => 10)

    assert_nil told(client("client_0", 5 => 20), client("client_1", 200 => 5_000))
    assert_equal({ "count" => 20, "p95" => 5 },
      told(client("client_0", 5 => 30), client("client_1", 200 => 5_000, 5 => 10)))
  end

  private
    def told(*clients)
      @seconds.told(clients, P95)
    end

    # counts: numbers of requests by response time below 256 us, where a histogram of 1 % precision has single values
    def client(name, errors: 0, **counts)
      numbers = (0..counts.keys.max).flat_map { |time| counts[time] || -1 }
      plain = numbers.map { |number| leb128(number.negative? ? 1 : 2 * number) }.join
      whole = [ ResponseTimes::PLAIN, plain.bytesize, 0, 2, 1, 86_400_000_000, 1.0 ].pack("l> l> l> l> q> q> G") + plain
      Client.new(name, [ [ ResponseTimes::COMPRESSED, 0 ].pack("l> l>") + Zlib.deflate(whole) ].pack("m0"),
        { "errors" => errors })
    end

    def leb128(number)
      bytes = []
      while number > 127
        bytes << (number & 127 | 128)
        number >>= 7
      end
      (bytes << number).pack("C*")
    end
end
