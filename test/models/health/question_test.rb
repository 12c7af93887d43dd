require "test_helper"

class Health::QuestionTest < ActiveSupport::TestCase
  test "a question without an answer is asked by one thread" do
    gate, asked = Queue.new, Concurrent::AtomicFixnum.new
    question = Health::Question.new { asked.increment && gate.pop }

    assert_equal [ nil ] * 3, Array.new(3) { Thread.new { question.ask.answer } }.map(&:value)
    assert_nil question.ask.answer
    assert_equal 1, asked.value

    gate << :late << :sound
    await { question.ask.answer == :sound }
  ensure
    gate << nil
  end

  test "an error is no answer" do
    assert_nil Health::Question.new { raise "no server" }.ask.answer
  end
end
