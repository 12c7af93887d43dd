require "test_helper"

class GarbageTest < ActiveSupport::TestCase
  test "garbage is collected before its limit is reached" do
    GC.start
    assert_not Puma::Garbage.due?
    assert_no_difference(-> { GC.stat(:major_gc_count) }) { Puma::Garbage.collect }

    kept = []
    kept << Array.new(1_000) { "#{kept.size} and more than fits into the slot of an object" } until Puma::Garbage.due?
    assert_difference(-> { GC.stat(:major_gc_count) }) { Puma::Garbage.collect }
  end
end
