require "test_helper"

class Build::SubprocessTest < ActiveSupport::TestCase
  test "ends a program that hangs and names a missing one" do
    assert_equal "sleep 30: not done after 0.2 s",
      assert_raises(Failure) { Build::Subprocess.run "sleep", 30, within: 0.2 }.message
    assert_match "There is no no_such_program", assert_raises(Failure) {
 Build::Subprocess.run "no_such_program" }.message
    assert_equal "words\n", Build::Subprocess.run("echo", "words")
    assert_equal "sh -c: bad\ufffd", assert_raises(Failure) {
      Build::Subprocess.run "sh", "-c", "printf 'bad\\0' >&2; exit 3"
    }.message
  end

  test "output is cleaned for the database and limited" do
    told = nil
    output = Build::Maven::Output.new { |text| told = text }
    output << "a\0b\xff"
    output.flush
    assert_equal "ab\ufffd", told
    assert_match "said more than", assert_raises(Failure) { 200.times { output << "x" * 100_000 } }.message
  end
end
