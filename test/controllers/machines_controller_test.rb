require "test_helper"

class MachinesControllerTest < ActionDispatch::IntegrationTest
  setup { sign_in_as users(:experimenter) }

  test "machines that are held now, and by which run" do
    get machines_path

    assert_select ".machines tbody tr", 1
    assert_select ".machines a[href=?]", test_run_path(test_runs(:running))
  end

  test "a sweep releases what no run at work holds" do
    machines(:finished_local).update! state: "ready"
    post machines_sweep_path

    assert_equal "Released: local.", flash[:notice]
    assert_predicate machines(:finished_local).reload, :released?
    assert_predicate machines(:running_local).reload, :ready?
  end
end
