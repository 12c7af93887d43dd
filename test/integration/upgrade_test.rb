require "test_helper"

# Runs bin/upgrade with stand-ins for the programs that it calls.
class UpgradeTest < ActiveSupport::TestCase
  setup do
    @folder = Pathname(Dir.mktmpdir)
    @folder.join("bin").mkpath
    FileUtils.cp Rails.root.join("bin/upgrade"), @folder.join("bin")
    stand_in "setup"
    stand_in "rails"
  end

  teardown { FileUtils.rm_rf @folder }

  test "runs setup, then assets, then hints to restart" do
    said, status = upgrade

    assert_predicate status, :success?, said
    assert_equal [ "setup production", "rails production assets:precompile" ], calls
    assert_match "systemctl restart testmaster-web testmaster-worker", said.lines.last
  end

  test "a failure ends it, and it can be repeated" do
    stand_in "setup", "exit 1"
    said, status = upgrade
    assert_not_predicate status, :success?
    assert_match "run bin/upgrade again", said
    assert_no_match "systemctl", said
    assert_equal [ "setup production" ], calls

    stand_in "setup"
    assert_predicate upgrade.last, :success?
    assert_equal [ "setup production", "setup production", "rails production assets:precompile" ], calls
  end

  private
    def stand_in(name, ending = "exit 0")
      @folder.join("bin", name).tap do |file|
        file.write "#!/bin/sh\necho #{name} $RAILS_ENV \"$@\" >>#{@folder}/calls\n#{ending}\n"
        file.chmod 0755
      end
    end

    def upgrade
      Open3.capture2e({ "RAILS_ENV" => nil }, @folder.join("bin/upgrade").to_s)
    end

    def calls
      @folder.join("calls").readlines(chomp: true)
    end
end
