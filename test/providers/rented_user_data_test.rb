require "test_helper"
require "open3"
require_relative "../support/ec2_lookalike"

class Provider::RentedUserDataTest < ActiveSupport::TestCase
  test "is a valid script that fits EC2" do
    script = script_for("database")
    _, problems, status = Open3.capture3("bash", "-n", stdin_data: script)

    assert status.success?, problems
    assert_operator script.bytesize, :<, 16.kilobytes
  end

  test "is the same for a machine at any time" do
    before = script_for("broker")
    travel 3.hours

    assert_equal before, script_for("broker")
  end

  test "installs PostgreSQL for the database only" do
    assert_match "install postgresql", apt_log_of("database")
    assert_no_match "install postgresql", apt_log_of("broker")
  end

  private
    def script_for(role)
      machine = Machine.new(name: "#{role}_0", role: role, test_run_id: 7, expires_at: Time.utc(2026, 11, 21, 15))
      Provider::Rented::UserData.new(machine, user: "admin").to_s
    end

    # Runs the script with the stand-ins of the look-alike below its own folder.
    def apt_log_of(role)
      Dir.mktmpdir do |folder|
        %w[ dev etc/ssh var/log bin home ].each { |path| FileUtils.mkdir_p "#{folder}/#{path}" }
        stand_ins = Ec2Lookalike::Instance::STAND_INS
          .merge("java" => %([ -e "$ROOT/installed/openjdk-17-jre-headless" ] && echo 'openjdk version "17.0.1"' >&2),
            "chown" => "true")
        stand_ins.each { |name, body| File.write "#{folder}/bin/#{name}", "#!/bin/sh\n#{body}\n", perm: 0755 }
        script = script_for(role).gsub(%r{(?<![\w.])/(?=dev/console|etc/|var/|usr/lib/postgresql)}) { "#{folder}/" }
        Open3.capture2e({ "ROOT" => folder, "PATH" => "#{folder}/bin:#{ENV["PATH"]}" }, "bash", stdin_data: script)

        assert_equal "ready\n", File.read("#{folder}/home/.testmaster/boot")
        File.read("#{folder}/apt-get")
      end
    end
end
