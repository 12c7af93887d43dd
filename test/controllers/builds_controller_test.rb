require "test_helper"

class BuildsControllerTest < ActionDispatch::IntegrationTest
  setup { sign_in_as users(:experimenter) }

  test "a failed build shows its error and its log" do
    builds(:head).update! state: "failed", error: "BrokerTest.java:12 cannot find symbol", log: "[INFO] Compiling"

    get builds_path
    assert_select ".state[data-state=failed]"

    get build_path(builds(:head))
    assert_select ".note--bad", /cannot find symbol/
    assert_select "pre", /Compiling/
  end

  test "a build of known sources links the first log" do
    builds(:head).update! log: "[INFO] Compiling"
    later = Build.create!(commit_sha: "e" * 40, revision: "HEAD", tree: builds(:head).tree, state: "completed",
      completed_at: Time.current)

    get build_path(later)
    assert_select "a[href=?]", build_path(builds(:head)), /\A\h{12}\z/
  end
end
