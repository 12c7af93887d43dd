require "test_helper"

# --help prints the usage of a program and starts nothing.
class ProgramsTest < ActiveSupport::TestCase
  %w[ backup ci demo dev loopback_hosts on restore sbom screenshots services setup test upgrade worker ].each do |name|
    test "bin/#{name} --help prints only its usage" do
      %w[ --help -h ].each do |option|
        said, status = Timeout.timeout(60) { Open3.capture2e Rails.root.join("bin", name).to_s, option }

        assert_match(/^usage: bin\/#{name}\b/, said)
        assert_predicate status, :success?, said
      end
    end
  end

  test "bin/maven makes the Javadoc where the machine has the plugin" do
    Dir.mktmpdir do |folder|
      File.write File.join(folder, "mvn"), "#!/bin/sh\necho \"$@\"\n", perm: 0o755
      said, status = Open3.capture2e({ "PATH" => "#{folder}:#{ENV.fetch("PATH")}" },
        Rails.root.join("bin/maven").to_s, "package")

      assert_predicate status, :success?, said
      debian = Dir.exist?("/usr/share/maven-repo/org/postgresql")
      lacking = debian && !Dir.exist?("/usr/share/maven-repo/org/apache/maven/plugins/maven-javadoc-plugin")
      assert_equal lacking, said.include?("-Dwithout.javadoc"), said
    end
  end

  test "bin/on installs what it needs" do
    assert_no_match(/apt-get install debootstrap/, Rails.root.join("bin/on").read)
  end
end
