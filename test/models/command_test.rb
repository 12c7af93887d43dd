require "test_helper"

class CommandTest < ActiveSupport::TestCase
  test "accepts only known commands" do
    assert_predicate build_command("rate 120"), :valid?
    assert_predicate build_command("  shutdown "), :valid?
    assert_match "must be one of shutdown", build_command("rm -rf /").tap(&:valid?).errors[:line].sole
    assert_not build_command("rate fast").valid?
  end

  test "targets name all, a role, a group or one JVM" do
    assert_equal 4, build_command("status", "all").jvms.size
    assert_equal %w[ broker_0 broker_1 ], build_command("status", "brokers").jvms.map(&:name)
    assert_equal %w[ client_0 client_1 ], build_command("status", "group:clients.0").jvms.map(&:name)
    assert_equal %w[ broker_1 ], build_command("status", "jvm:broker_1").jvms.map(&:name)
    assert_includes build_command("status", "jvm:broker_9").tap(&:valid?).errors[:target], "names no JVM of this run"
    assert_match "has ended",
      Command.new(test_run: test_runs(:finished), line: "status", target: "all").tap(&:valid?).errors[:base].sole
  end

  private
    def build_command(line, target = "all")
      Command.new(test_run: test_runs(:running), line: line, target: target)
    end
end
