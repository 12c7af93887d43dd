require "test_helper"

# The units of config/systemd. Without systemd, the test only parses them and checks that their programs exist.
class SystemdTest < ActiveSupport::TestCase
  UNITS = Rails.root.glob("config/systemd/*.service")
  EXPOSED_AT_MOST = 25 # in tenths of the exposure level of systemd-analyze security

  test "each unit starts an existing program, confined" do
    assert_equal %w[ testmaster-services testmaster-web testmaster-worker ], UNITS.map { |unit|
      unit.basename(".service").to_s }.sort
    UNITS.each do |unit|
      settings = settings_of(unit)
      programs = settings.values_at("ExecStart", "ExecStop").compact
        .map { |command| command.split.first.sub("/srv/testmaster", Rails.root.to_s) }

      assert programs.any? && programs.all? { |program| File.executable?(program) }, programs.inspect
      assert_equal %w[ testmaster /srv/testmaster yes strict ],
        settings.values_at("User", "WorkingDirectory", "NoNewPrivileges", "ProtectSystem"), unit.basename
      assert_equal "", settings["CapabilityBoundingSet"]
      assert_not_includes settings["ReadWritePaths"].split, "/srv/testmaster"
    end
    assert_equal "process", settings_of(Rails.root.join("config/systemd/testmaster-worker.service"))["KillMode"]
  end

  test "systemd verifies the units and their exposure" do
    skip "there is no systemd-analyze" unless analyze

    in_this_checkout do |folder|
      said, status = Open3.capture2e(analyze, "verify", *folder.children.map(&:to_s))
      ours = said.lines.grep(/testmaster/)
      assert status.success? && ours.empty?, said

      folder.children.each do |unit|
        said, status = Open3.capture2e(analyze, "security", "--offline=yes", "--no-pager",
          "--threshold=#{EXPOSED_AT_MOST}", unit.to_s)
        assert_predicate status, :success?, said.lines.last
      end
    end
  end

  test "units may write where programs write" do
    writable = settings_of(Rails.root.join("config/systemd/testmaster-worker.service"))["ReadWritePaths"].split
    [ Rails.configuration.x.build_root, Rails.root.join("storage"), Rails.root.join("log"), Pathname("/tmp") ]
      .each do |folder|
      path = folder.to_s.sub(Rails.root.to_s, "/srv/testmaster")
      assert writable.any? { |allowed| path == allowed || path.start_with?("#{allowed}/") }, path
    end
  end

  private
    def analyze
      ENV["PATH"].split(":").map { |folder| File.join(folder, "systemd-analyze") }
        .find { |path| File.executable?(path) }
    end

    def settings_of(unit)
      unit.read.lines.grep(/\A\w+=/).to_h { |line| line.chomp.split("=", 2) }
    end

    # Adapts the units to programs and an account that exist here.
    def in_this_checkout
      Dir.mktmpdir do |folder|
        UNITS.each do |unit|
          text = unit.read.gsub("/srv/testmaster", Rails.root.to_s).sub("User=testmaster", "User=#{Etc.getpwuid.name}")
          File.write File.join(folder, unit.basename), text
        end
        yield Pathname(folder)
      end
    end
end
