require "test_helper"
require "open3"

class Provider::Ec2::UserDataTest < ActiveSupport::TestCase
  test "it is a script that the shell understands, and small enough for EC2" do
    script = script_for("database")
    _, problems, status = Open3.capture3("bash", "-n", stdin_data: script)

    assert status.success?, problems
    assert_operator script.bytesize, :<, 16.kilobytes
  end

  test "the same machine gets the same words at any time, so that a repeated request is recognized" do
    before = script_for("broker")
    travel 3.hours

    assert_equal before, script_for("broker")
  end

  test "only the database machine gets PostgreSQL" do
    assert_match "install postgresql", script_for("database")
    assert_no_match "install postgresql", script_for("broker")
  end

  private
    def script_for(role)
      machine = Machine.new(name: "#{role}_0", role: role, test_run_id: 7, expires_at: Time.utc(2026, 11, 21, 15))
      Provider::Ec2::UserData.new(machine, user: "admin").to_s
    end
end
