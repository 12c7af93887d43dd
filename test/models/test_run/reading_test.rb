require "test_helper"

class TestRun::ReadingTest < ActiveSupport::TestCase
  setup { @run = test_runs(:running) }

  test "a step has the mean of its values" do
    book = TestRun::Reading::Book.new(@run)
    book.add "machine:local", { "user" => 10 }, 3.2..3.2
    book.add "machine:local", { "user" => 20, "odd" => "x", "none" => nil }, 3.9..3.9
    book.add "machine:local", { "user" => 80.5 }, 3.95..5.1
    book.save

    assert_equal({ 3 => 15, 4 => 80.5, 5 => 80.5 }, by_position("machine:local", "user"))
    assert_equal %w[ user ], @run.readings.first.figures["machine:local"].keys
  end

  test "a new worker continues a step" do
    [ 10, 20 ].each do |value|
      TestRun::Reading::Book.new(@run).tap { |book| book.add "database", { "commits" => value }, 7.0..7.5 }.save
    end

    assert_equal({ 7 => 15 }, by_position("database", "commits"))
  end

  test "ignores values before and after the load" do
    book = TestRun::Reading::Book.new(@run)
    [ -2..-1, 60..60.5, 61..70 ].each { |seconds| book.add "database", { "commits" => 1 }, seconds }
    book.add "database", { "commits" => 5 }, -4..0.5
    book.save

    assert_equal({ 0 => 5 }, by_position("database", "commits"))
  end

  test "a day has a limited number of steps" do
    @run.update! duration: 24 * 3600
    book = TestRun::Reading::Book.new(@run)
    (0...24 * 3600).step(120) do |second|
      book.add "jvm:broker_0", { "heap" => second }, second..second
      book.save if second % 7200 == 0
    end
    book.save

    assert_equal [ 24, 360 ], TestRun::Reading.lengths_in(@run)
    assert_equal({ 24 => 720, 360 => 240 }, @run.readings.reorder(nil).group(:length).count)
    assert_operator book.instance_variable_get(:@steps).size, :<, 100
  end

  private
    def by_position(subject, name)
      @run.readings.where(length: 1).to_h do |reading|
        sum, count = reading.figures.dig(subject, name)
        [ reading.position, sum && sum / count ]
      end
    end
end
