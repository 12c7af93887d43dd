require "test_helper"

# The texts were encoded by HdrHistogram 2.1 (Java), which also computed the expected percentiles.
class ResponseTimesTest < ActiveSupport::TestCase
  # 1 ms, 2 ms … 100 ms with a precision of 1 % and of 0.1 %
  TO_100_MS_ROUGH =
    "HISTFAAAAFF4nJNpmSzMwMBwkgECmKA0I4T8/9/+A0TgMzvTX0ameqZqJkcmayC0Z" \
    "VJkkmWSBmIYKcjEC4XcWFi8TJxMrBiQGYsYblFmJgaiIF5JACzLDE0="
  TO_100_MS =
    "HISTFAAAAFN4nJNpmSzMwMBwkwECmKE0I4T8/9/+A0TgPD/TWX6mqRxMT9mZFrIwf" \
    "WSGouVMTN8ZsaCVjEzVTJV4cDaTNRDagknyaF0maSZZIESQ5PABbtEn6A=="
  # 5 ms, 10 ms … 500 ms with a precision of 1 %
  TO_500_MS_ROUGH =
    "HISTFAAAAFN4nJNpmSzMwMBwmgECmKA0I5hk///f/gNEYDsP019GppmMTIlM3kBoy" \
    "aTKpAzHwkyCYMiPQXMysaNAVgJ8kAgrEwMTMxJG5WGKEJJHFwEAJ1YMQw=="

  test "computes the percentiles of HdrHistogram" do
    rough, fine = [ TO_100_MS_ROUGH, TO_100_MS ].map { |text| ResponseTimes.sum([ text ]) }

    assert_equal [ 100, 50_175, 99_327, 100_351 ],
      [ rough.count, *[ 50, 99, 100 ].map { |percent| rough.percentile(percent) } ]
    assert_equal [ 100, 50_015, 99_007, 100_031 ],
      [ fine.count, *[ 50, 99, 100 ].map { |percent| fine.percentile(percent) } ]
  end

  test "adds up the times of several clients" do
    sum = ResponseTimes.sum([ TO_100_MS, TO_500_MS_ROUGH ])

    assert_equal 200, sum.count
    assert_equal 501_759, sum.percentile(100)
    assert_equal 84_031, sum.percentile(50) # 84 values of the first and 16 of the second are at most 84 ms
  end

  test "tells percentiles and the longest time, and bounds of those among failures" do
    figures = %w[ p50 max mean ].map { |name| Figure[name] }
    times = ResponseTimes.sum([ TO_100_MS ])

    assert_equal({ "count" => 100, "p50" => 50_015, "max" => 100_031 }, times.told(figures))
    assert_equal({ "count" => 100, "p50" => 51_007, "at_least" => { "max" => 100_031 } },
      times.told(figures, failed: 1))
  end

  test "what came since has no time of before" do
    second = ResponseTimes.new(5_000_000 => 1, 1_000 => 150) - ResponseTimes.new(5_000_000 => 1, 1_000 => 50)

    assert_equal({ "count" => 100, "at_least" => { "max" => 1_000 } }, second.told([ Figure["max"] ], failed: 5))
  end

  test "has no percentile without requests" do
    assert_nil ResponseTimes.sum([]).percentile(99)
  end

  test "ignores invalid histograms" do
    bomb = [ [ ResponseTimes::COMPRESSED, 0 ].pack("l> l>") + Zlib.deflate("\0" * 50.megabytes) ].pack("m0")
    far = [ ResponseTimes::PLAIN, 2, 0, 3, 1, 1, 1 ].pack("l> l> l> l> q> q> G") + [ 0xff, 0x7f ].pack("C*")
    far = [ [ ResponseTimes::COMPRESSED, 0 ].pack("l> l>") + Zlib.deflate(far * 2) ].pack("m0")

    [ nil, "", "no base 64", "AAAA", TO_100_MS.first(60), bomb, far ].each do |text|
      assert_equal 100, ResponseTimes.sum([ text, TO_100_MS ]).count, text.to_s.first(20)
    end
  end
end
