require "test_helper"

# Any account can write to /var/tmp. A link of another account must not redirect our writes.
class SharedFoldersTest < ActiveSupport::TestCase
  setup do
    @victim = Pathname(Dir.mktmpdir)
    @names = []
  end

  teardown do
    @names.each { |name| FileUtils.rm_rf name }
    FileUtils.rm_rf @victim
  end

  test "a database does not follow a foreign link" do
    name = "desk_test_#{SecureRandom.hex(4)}"
    link "/var/tmp/#{name}"
    %w[ start stop ].each { |command| assert_refused machine_database(name, command) }

    if Process.uid.zero?
      File.delete "/var/tmp/#{name}"
      Dir.mkdir "/var/tmp/#{name}"
      File.chown Etc.getpwnam("nobody").uid, nil, "/var/tmp/#{name}"
      assert_refused machine_database(name, "start")
    end
    assert_empty @victim.children
  end

  test "a lock does not follow a foreign link" do
    name = "desk_test_#{SecureRandom.hex(4)}"
    link "/var/tmp/#{name}.lock", @victim.join("made")
    machine_database(name, "stop")

    assert_empty @victim.children
  end

  test "services do not follow a foreign link" do
    skip "only root's services lie outside of the checkout" unless Process.uid.zero?

    Dir.mktmpdir do |checkout|
      FileUtils.mkdir_p "#{checkout}/bin"
      FileUtils.cp Rails.root.join("bin/services"), "#{checkout}/bin"
      link "/var/tmp/mlmq-#{Digest::SHA256.hexdigest(checkout).first(12)}"

      assert_refused Open3.capture2e({ "DATABASE_URL" => nil, "REDIS_URL" => nil }, "#{checkout}/bin/services", "start")
      assert_empty @victim.children
    end
  end

  private
    def link(path, target = @victim)
      File.symlink target, path
      @names << path
    end

    def machine_database(name, command)
      Open3.capture2e("sh", Rails.root.join("lib/machine/database.sh").to_s, name, "1", "mlmq", command,
        stdin_data: "password\n")
    end

    def assert_refused((said, status))
      assert_not_predicate status, :success?, said
      assert_match "belongs to somebody else", said
    end
end
