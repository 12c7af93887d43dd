require "test_helper"

class OwnSecretsTest < ActiveSupport::TestCase
  setup do
    @root = Pathname(Dir.mktmpdir)
    @secrets = OwnSecrets.new(@root)
    @file, @former = %w[ secrets storage ].map { |folder| @root.join(folder, "secret_key_base") }
  end

  teardown { FileUtils.rm_rf @root }

  test "makes one secret for the account alone" do
    secret = @secrets.key_base
    assert_match(/\A\h{128}\z/, secret)
    assert_equal secret, OwnSecrets.new(@root).key_base
    assert_equal %w[ 700 600 ], [ @root.join("secrets"), @file ].map { |path| format("%o", path.stat.mode & 0777) }
  end

  test "closes folders and files to others" do
    @secrets.key_base
    @root.join("secrets").chmod 0755
    @file.chmod 0644
    @secrets.key_base
    assert_equal %w[ 700 600 ], [ @root.join("secrets"), @file ].map { |path| format("%o", path.stat.mode & 0777) }
  end

  test "moves the secret of older versions out of storage" do
    @former.dirname.mkpath
    @former.write "of before"
    assert_equal "of before", @secrets.key_base
    assert_not_predicate @former, :exist?

    @former.write "of before" # as if the process was killed before the deletion
    assert_equal "of before", @secrets.key_base
    assert_not_predicate @former, :exist?

    @former.write "another" # a different file must not be lost
    assert_equal "of before", @secrets.key_base
    assert_equal "another", @former.read
  end

  test "concurrent processes get the same secret" do
    readers = Array.new(4) { IO.popen([ RbConfig.ruby, "-r#{Rails.root.join("lib/own_secrets")}", "-e",
      "print OwnSecrets.new(ARGV.first).key_base", @root.to_s ]) }
    assert_equal 1, readers.map(&:read).uniq.size
    assert_equal [ @file ], @root.join("secrets").children
  ensure
    readers.each(&:close)
  end
end
