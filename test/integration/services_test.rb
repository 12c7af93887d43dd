require "test_helper"

# bin/services must keep durable data outside of tmp, which may be cleared at any time.
class ServicesTest < ActiveSupport::TestCase
  setup do
    @checkout = Pathname(Dir.mktmpdir)
    @checkout.join("bin").mkpath
    FileUtils.cp Rails.root.join("bin/services"), @checkout.join("bin")
    @checkout.chmod 0755
  end

  teardown { FileUtils.rm_rf @checkout }

  test "data and settings lie outside of tmp" do
    said = environment
    assert_match(/^export PGPORT=\d+$/, said)
    assert_equal said, environment
    assert_equal %w[ bin var ], @checkout.children.map { |path| path.basename.to_s }.sort
    assert_equal "600", format("%o", @checkout.join("var/services/settings").stat.mode & 0777)
  end

  test "reading the environment writes nothing" do
    environment
    before = written
    @checkout.glob("var/**/*").each { |path| path.utime 1.hour.ago.to_time, 1.hour.ago.to_time }
    assert_not_equal before, aged = written

    environment
    assert_equal aged, written
  end

  test "the folder of an older version stays in use" do
    old = @checkout.join("tmp/services/settings").tap { |file| file.dirname.mkpath }
    old.write "pg_port=12345\nredis_port=12346\npassword=old\n"

    assert_match "export PGPORT=12345\n", environment
    assert_not_predicate @checkout.join("var/services/settings"), :exist?
  end

  private
    def written
      @checkout.glob("var/**/*").sort.to_h { |path| [ path.to_s, path.mtime ] }
    end

    def environment
      said, status = Open3.capture2e({ "DATABASE_URL" => nil, "REDIS_URL" => nil },
        @checkout.join("bin/services").to_s, "env")
      assert_predicate status, :success?, said
      said
    end
end
