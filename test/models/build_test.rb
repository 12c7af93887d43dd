require "test_helper"

class BuildTest < ActiveSupport::TestCase
  setup do
    @repository = Pathname(Dir.mktmpdir)
    System.default.sources.grep(/pom.xml\z/).each { |path| copy path }
    write "mlmq/src/main/java/ch/ethz/mlmq/cli/Main.java",
      "package ch.ethz.mlmq.cli;\n\npublic final class Main {\n    private Main() { }\n}\n"
    git "init", "-q", "-b", "main"
    commit
    @root, Rails.configuration.x.build_root = Rails.configuration.x.build_root, @repository.join("builds")
  end

  teardown do
    Rails.configuration.x.build_root = @root
    FileUtils.rm_rf @repository
  end

  test "commits with the same sources share one build" do
    build = Build.of("file://#{@repository}#main")
    build.perform { }

    assert_predicate build.reload, :completed?
    assert_predicate build.jar, :intact?
    assert_match "BUILD SUCCESS", build.log
    assert_equal build, Build.of("file://#{@repository}#main")
    build.update! created_at: 1.hour.ago
    assert_operator build.took, :<, 1.hour, "the time before its latest work does not count"

    write "README.md", "words"
    commit
    other = Build.of("file://#{@repository}#main")
    other.perform { }
    assert_not_equal build.commit_sha, other.commit_sha
    assert_equal build.jar.digest, other.jar.digest
    assert_nil other.log, "built again"
  end

  test "finds a jar's main class and a moved driver" do
    write "drivers/amqp/pom.xml", Rails.root.join("systems/rabbitmq/driver/pom.xml").read
      .sub("../../../pom.xml", "../../pom.xml")
    git "rm", "-rq", "systems/rabbitmq/driver"
    write "pom.xml", @repository.join("pom.xml").read.sub("systems/rabbitmq/driver", "drivers/amqp")
    commit
    build = Build.of("file://#{@repository}#main")
    build.perform(System["rabbitmq"]) { }

    assert_predicate build.reload, :completed?, build.error
    assert_equal "ch.ethz.mlmq.cli.Main", build.jar.main_class
    assert build.jars(System["rabbitmq"]).all?(&:intact?)
  end

  test "a changed driver of any system makes its own jars" do
    folders = System.all.grep(System::Driven).filter_map(&:driver_folder)
    assert_operator folders.size, :>, 1

    trees = [ nil, *folders ].map do |folder|
      write "#{folder}/src/main/java/Changed.java", "class Changed { }\n" if folder
      commit if folder
      Build::Source::Commit.new(@repository, "main").tree
    end
    assert_equal trees.uniq, trees
  end

  test "a failed build names the line" do
    write "mlmq/src/main/java/ch/ethz/mlmq/cli/Broken.java",
      "package ch.ethz.mlmq.cli;\n\nfinal class Broken {\n    int a = ;\n}\n"
    commit
    build = Build.of("file://#{@repository}")

    failure = assert_raises(Failure) { build.perform { } }
    assert_match "mlmq/src/main/java/ch/ethz/mlmq/cli/Broken.java:[4,13] illegal start of expression", failure.message
    assert_predicate build.reload, :failed?
    assert_match "COMPILATION ERROR", build.log
    assert_empty @repository.glob("builds/*/source-*")
  end

  test "a cancelled build can be made again" do
    build = Build.of("file://#{@repository}")
    assert_raises(Cancelled) { build.perform { raise Cancelled } }
    assert_predicate build.reload, :cancelled?

    build.perform { }
    assert_predicate build.reload, :completed?
  end

  test "a build waits for the jars of another Testmaster" do
    made = Build.of("file://#{@repository}").tap { |build| build.perform { } }
    jars = made.jar.path.dirname
    jars.rename(aside = @repository.join("aside"))
    jars.mkpath
    other = jars.join(".lock").open(File::CREAT | File::RDWR).tap { |file| file.flock File::LOCK_EX }
    waits = 0
    made.update_columns log: nil, state: "pending"

    made.perform do
      next unless (waits += 1) == 2

      aside.children.each { |file| file.rename jars.join(file.basename) unless file.basename.to_s == ".lock" }
      other.close
    end
    assert_operator waits, :>=, 2
    assert_predicate made.reload, :completed?
    assert_nil made.log, "built again"
  end

  test "a build whose worker was killed fails" do
    build = builds(:head)
    build.update_columns state: "processing", updated_at: 1.minute.ago
    TestRun.resume_abandoned

    assert_equal [ "failed", true ], [ build.reload.state, build.error.include?("interrupted") ]
  end

  test "a damaged jar is not intact" do
    jar = Build::Jar.new(@repository.join("builds/x/mlmq.jar"))
    write "some.jar", "abc"
    jar.put @repository.join("some.jar")

    assert_predicate jar, :intact?
    jar.path.write "abd"
    assert_not_predicate jar, :intact?
  end

  test "concurrent fetches of a new repository succeed" do
    versions = Array.new(8) { Thread.new { Build::Source.for("file://#{@repository}#main").version } }.map(&:value)
    assert_equal [ @repository.join(".git/refs/heads/main").read.strip ], versions.uniq
  end

  test "unknown revisions and repositories are named" do
    assert_match "There is no revision nowhere", assert_raises(Failure) { Build.of("nowhere") }.message
    assert_match "is no revision", assert_raises(Failure) { Build.of("--upload-pack=x") }.message
    assert_match "cannot be fetched", assert_raises(Failure) { Build.of("file:///no/such/repository") }.message
  end

  test "refuses git options and passwords in a revision" do
    [ "file://#{@repository}#--upload-pack=touch #{@repository}/ran;git-upload-pack",
      "file://#{@repository}#--upload-pack=#{@repository}/run.sh", "-cuploadpack=x",
      "https://anna:sesame-open@127.0.0.1:1/x.git" ].each do |revision|
      write "run.sh", "#!/bin/sh\ntouch #{@repository}/ran\nexec git-upload-pack \"$@\"\n"
      @repository.join("run.sh").chmod 0755

      failure = assert_no_difference(-> { Build.count }) { assert_raises(Failure) { Build.of(revision) } }
      refute_path_exists @repository.join("ran")
      assert_no_match "sesame-open", failure.message + failure.advice
    end
  end

  private
    def copy(path)
      FileUtils.mkdir_p @repository.join(path).dirname
      FileUtils.cp Rails.root.join(path), @repository.join(path)
    end

    def write(path, content)
      FileUtils.mkdir_p @repository.join(path).dirname
      @repository.join(path).write content
    end

    def commit
      git "add", "."
      git "-c", "user.name=Test", "-c", "user.email=test@example.org", "commit", "-q", "-m", "Change"
    end

    def git(*arguments)
      assert system("git", "-C", @repository.to_s, *arguments)
    end
end
