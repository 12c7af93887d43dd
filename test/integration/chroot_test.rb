require "test_helper"

# Programs that only root can use are replaced by shorter ones, so no chroot is made.
class ChrootTest < ActiveSupport::TestCase
  setup do
    @folder = Pathname(Dir.mktmpdir)
    stand_in "id", "echo 0"
    stand_in "apt-get", "exit 0"
    # Makes the folders that a chroot has; "unshare" is called for this and for the command.
    stand_in "unshare", <<~SH
      case "$*" in *debootstrap*) ;; *) exit 7 ;; esac
      for place; do case $place in */mlmq-*.new) break ;; esac; done
      mkdir -p "$place/usr/sbin" "$place/etc/ssl" "$place/srv"
      echo "I: Unpacking perl-base"
      [ -e "#{@folder}/quick" ] || exec sleep 60
    SH
    stand_in "debootstrap", "exit 0"
  end

  teardown { @folder.rmtree }

  test "each step is said with its seconds, and the log by its name" do
    @folder.join("quick").write ""
    said, status = Open3.capture2e environment, program, "trixie", "bin/test"

    assert_match(/^bin\/on: +\d+ s  making a chroot of trixie in #{root}; the log is #{root}\.log$/, said)
    assert_match(/^bin\/on: +\d+ s  copying \h+ into #{root}\/srv\/mlmq$/, said)
    assert_match(/^bin\/on: +\d+ s  bin\/test ended with 7$/, said)
    assert_equal 7, status.exitstatus
    assert_equal "I: Unpacking perl-base\n", File.read("#{root}.log")
  end

  test "a chroot that is interrupted leaves nothing" do
    _, output, ended = Open3.popen2e environment, program, "trixie", "bin/test"
    await { File.exist?("#{root}.log") && File.read("#{root}.log").include?("perl-base") }
    Process.kill "TERM", ended.pid

    assert_equal 143, ended.value.exitstatus
    assert_not_includes output.read, "ended with"
    assert_equal %W[ #{root}.lock #{root}.log ], Dir["#{root}*"].sort
  end

  private
    def stand_in(name, script)
      @folder.join("bin").mkpath
      @folder.join("bin", name).write "#!/bin/sh\n#{script}\n", perm: 0o755
    end

    def environment = { "PATH" => "#{@folder}/bin:#{ENV.fetch("PATH")}", "MLMQ_CHROOTS" => @folder.to_s }

    def program = Rails.root.join("bin/on").to_s

    def root = "#{@folder}/mlmq-trixie"
end
