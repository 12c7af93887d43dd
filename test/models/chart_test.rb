require "test_helper"

class ChartTest < ActiveSupport::TestCase
  test "axes end at round numbers" do
    assert_equal [ 0, 1000, 2000, 3000, 4000 ], chart([ 3896 ]).y_ticks.map(&:first).map(&:round)
    assert_equal [ 0, 30, 60, 90, 120 ], chart([ 1 ]).x_ticks.map(&:first)
  end

  test "labels at line ends never overlap" do
    ends = chart([ 10 ], [ 10 ], [ 0 ], [ 0 ]).ends.map(&:last)

    assert_equal ends.sort, ends
    ends.each_cons(2) { |upper, lower| assert_operator lower - upper, :>=, Chart::GAP - 0.01 }
    assert_operator ends.last, :<=, 100
  end

  test "numbers of marks are apart on the narrowest screen" do
    marks = [ 0, 1, 1, 2, 60, 118, 119, 120 ].each_with_index.map { |at, n| Chart::Mark.new(at, n + 1, "command") }
    chart = Chart.new(title: "Title", note: "unit", duration: 120, lines: [], marks: marks)
    places = chart.marks.map { |mark| chart.x(mark.at) / 100 * Chart::NARROWEST + chart.shift_of(mark) }

    places.each_cons(2) { |left, right| assert_operator right - left, :>=, Chart::APART - 0.1 }
    assert_operator places.first, :>=, 0
    assert_operator places.last, :<=, Chart::NARROWEST
    assert_in_delta 0, chart.shift_of(marks[4]), 0.1, "a mark without neighbours is not moved"
  end

  test "draws a chart of zeros and an empty one" do
    assert_equal "M0 1000", chart([ 0 ]).path(chart([ 0 ]).lines.first)
    assert_predicate chart([]), :empty?
  end

  private
    def chart(*lines)
      lines = lines.map do |values|
        Chart::Line.new("line", "d1", values.each_with_index.map { |value, second| [ second, value ] }, "x")
      end
      Chart.new(title: "Title", note: "unit", duration: 120, lines: lines)
    end
end
