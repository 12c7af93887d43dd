require "test_helper"

# Runs bin/backup and bin/restore in folders with the needed parts of a checkout, each with its own database.
class BackupTest < ActiveSupport::TestCase
  self.use_transactional_tests = false # programs see only what is committed

  setup do
    @folder = Pathname(Dir.mktmpdir)
    @archive = @folder.join("archive")
    @here = installation("here", database: ApplicationRecord.connection.current_database)
    @there = installation("there", database: "testmaster_restored_#{Process.pid}_#{SecureRandom.hex(4)}")
    write @here, "storage/ab/cd/abcdzip" => Random.bytes(100_000)
    write @here, "secrets/secret_key_base" => "a secret"
    @here.root.join("secrets").chmod 0700
  end

  teardown do
    server do |connection|
      databases.each { |name| connection.exec "DROP DATABASE #{connection.quote_ident(name)} WITH (FORCE)" }
    end
    FileUtils.rm_rf @folder
  end

  test "restores a backup elsewhere as it was" do
    succeed @here, "backup", @archive
    assert_equal "600", format("%o", @archive.stat.mode & 0777)
    succeed @there, "restore", @archive

    assert_equal contents(@here), contents(@there)
    assert_equal "700", format("%o", @there.root.join("secrets").stat.mode & 0777)
    assert_equal rows(@here), rows(@there)
    assert_operator rows(@there).fetch("users").first, :>, 0
    assert_equal [ "archive", "here", "there" ], @folder.children.map { |path| path.basename.to_s }.sort
    assert_equal [ @there.database ], databases
  end

  test "leaves a machine's token out of the backup" do
    write @here, "secrets/local_access.production.json" => "{}"
    FileUtils.mv @here.root.join("secrets/secret_key_base"), @here.root.join("storage")
    write @here, "storage/local_access.production.json" => "{}"
    succeed @here, "backup", @archive
    assert_no_match(/local_access/, `tar -tf #{@archive}`)

    as_of_format_1 @archive
    write @there, "secrets/local_access.production.json" => "{}"
    succeed @there, "restore", @archive
    assert_equal %w[ secrets/secret_key_base storage/ab/cd/abcdzip ], contents(@there).keys.sort
  end

  test "overwrites only with --force" do
    succeed @here, "backup", @archive
    refuse(/exists already/, @here, "backup", @archive)
    succeed @there, "restore", @archive

    server(@there.database) { |connection| connection.exec "DELETE FROM samples; CREATE TABLE strange (id int)" }
    write @there, "storage/ours" => "a file of this installation"
    unchanged(@there) { refuse(/--force replaces them/, @there, "restore", @archive) }

    server(@there.database) do
      unchanged(@there) { refuse(/Stop web and worker first/, @there, "restore", "--force", @archive) }
    end

    succeed @there, "restore", "--force", @archive
    assert_equal contents(@here), contents(@there)
    assert_equal rows(@here), rows(@there)
    assert_equal [ @there.database ], databases
  end

  test "a broken or newer archive changes nothing" do
    succeed @here, "backup", @archive
    whole = @archive.binread

    @archive.binwrite whole.first(whole.size / 2)
    unchanged(@there) { refuse(/no whole archive/, @there, "restore", "--force", @archive) }
    at = whole.index("a secret")
    @archive.binwrite whole.dup.tap { |bytes| bytes[at] = "A" }
    unchanged(@there) { refuse(/no whole archive/, @there, "restore", "--force", @archive) }

    @archive.binwrite whole
    @there.root.glob("db/migrate/*").max.delete
    unchanged(@there) { refuse(/newer version/, @there, "restore", "--force", @archive) }
  end

  test "a failed restore changes nothing" do
    succeed @here, "backup", @archive
    succeed @there, "restore", @archive
    write @there, "storage/ours" => "a file of this installation"

    %w[ pg_restore psql ].each do |name|
      real = ENV["PATH"].split(":").map { |folder| File.join(folder, name) }.find { |path| File.executable?(path) }
      failing = @there.root.join("failing_#{name}").tap(&:mkpath)
      failing.join(name).write <<~SH
        #!/bin/sh
        case "$*" in *--single-transaction*) exit 1 ;; esac
        exec #{real} "$@"
      SH
      failing.join(name).chmod 0755
      unchanged(@there) do
        refuse(/Nothing was changed/, @there, "restore", "--force", @archive, "PATH" => "#{failing}:#{ENV["PATH"]}")
      end
    end
    assert_equal [ @there.database ], databases
  end

  test "storage may be behind a link" do
    [ @here, @there ].each do |installation|
      storage = installation.root.join("storage")
      elsewhere = @folder.join("disk of #{installation.root.basename}")
      FileUtils.mv storage, elsewhere
      FileUtils.ln_s elsewhere, storage
    end
    succeed @here, "backup", @archive
    succeed @there, "restore", @archive

    assert_predicate @there.root.join("storage"), :symlink?
    assert_equal 100_000, @folder.join("disk of there/ab/cd/abcdzip").size
  end

  test "a full disk of storage keeps the secret elsewhere" do
    skip "/dev/shm is no disk of its own here" unless Pathname("/dev/shm").then { |disk|
      disk.writable? && disk.stat.dev != @folder.stat.dev }
    Dir.mktmpdir("storage", "/dev/shm") do |disk|
      FileUtils.rm_r @there.root.join("storage")
      FileUtils.ln_s "#{disk}/storage", @there.root.join("storage")
      Pathname(disk).join("storage").mkpath
      write @there, "secrets/secret_key_base" => "the secret of this installation"
      succeed @here, "backup", @archive

      programs = @there.root.join("programs").tap(&:mkpath)
      programs.join("mv").write <<~SH
        #!/bin/sh
        for to; do :; done
        if [ "$(stat -c %d "$1")" != "$(stat -c %d "${to%/*}")" ]; then mkdir "$to"; echo "mv: no space"; exit 1; fi
        exec /bin/mv "$@"
      SH
      programs.join("mv").chmod 0755
      perform @there, "restore", "--force", @archive, "PATH" => "#{programs}:#{ENV["PATH"]}"

      assert_includes [ "the secret of this installation", "a secret" ],
        @there.root.join("secrets/secret_key_base").then { |secret| secret.read if secret.file? }
      assert_equal [ "storage" ], Dir.children(disk)
      assert_equal [ @there.root.join("secrets") ], @there.root.glob("secrets*")
    end
  end

  test "passes no password as an argument" do
    shown = @here.root.join("shown")
    programs = @here.root.join("programs").tap(&:mkpath)
    programs.join("psql").write("#!/bin/sh\necho \"$*\" >>#{shown}\nexit 1\n")
    programs.join("psql").chmod 0755
    refuse(/there is no Testmaster/, @here, "backup", @archive, "PATH" => "#{programs}:#{ENV["PATH"]}")
    assert_no_match Regexp.new(Regexp.escape(settings.fetch(:password))), shown.read
    assert_not_predicate @archive, :exist?
  end

  private
    Installation = Struct.new(:root, :database, :url)

    def installation(name, database:)
      root = @folder.join(name).tap { |path| path.join("bin").mkpath }
      %w[ bin/backup bin/restore bin/services lib/installation.sh db/migrate ].each do |path|
        root.join(path).dirname.mkpath
        FileUtils.cp_r Rails.root.join(path), root.join(path)
      end
      root.join("storage").mkpath
      FileUtils.touch root.join("storage/.keep")
      url = format("postgresql://%<user>s:%<password>s@%<host>s:%<port>s/#{database}", settings)
      Installation.new(root, database, url)
    end

    def settings
      ApplicationRecord.connection.raw_connection.then do |connection|
        { user: connection.user, password: connection.pass, host: connection.host, port: connection.port }
      end
    end

    def server(database = "postgres")
      connection = PG.connect(dbname: database, **settings)
      yield connection
    ensure
      connection&.close
    end

    def write(installation, files)
      files.each do |name, content|
        installation.root.join(name).tap { |path| path.dirname.mkpath }.binwrite content
      end
    end

    # A trailing hash is the environment.
    def perform(installation, program, *arguments)
      environment = arguments.extract_options!
      Open3.capture2e({ "DATABASE_URL" => installation.url, "RAILS_ENV" => nil, **environment },
        installation.root.join("bin", program).to_s, *arguments.map(&:to_s))
    end

    def succeed(...)
      said, status = perform(...)
      assert_predicate status, :success?, said
    end

    def refuse(reason, ...)
      said, status = perform(...)
      assert_not_predicate status, :success?, said
      assert_match reason, said
    end

    def unchanged(installation, &block)
      assert_no_changes -> { [ contents(installation), rows(installation), databases ] }, &block
    end

    # Rewrites the archive to format 1, as older versions wrote it.
    def as_of_format_1(archive)
      Dir.mktmpdir do |folder|
        system "tar", "-xf", archive.to_s, "-C", folder, exception: true
        about = Pathname(folder).join("about")
        about.write about.read.sub("format=2", "format=1")
        system "tar", "-cf", archive.to_s, "-C", folder, *%w[ database.dump storage about checksums ], exception: true
      end
    end

    # @return { name of a file => digest of its content }
    def contents(installation)
      root = installation.root
      assert_equal [ root.join("storage") ], root.glob("storage*")
      root.glob("{storage,secrets}/**/*").select(&:file?).to_h do |path|
        [ path.relative_path_from(root).to_s, digest(path.binread) ]
      end
    end

    # @return { table => [ number of rows, digest of the rows ] }, or nil without a database
    def rows(installation)
      server(installation.database) do |connection|
        tables = connection.exec("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
        tables.column_values(0).index_with do |table|
          rows = connection.exec("SELECT t::text FROM #{connection.quote_ident(table)} t ORDER BY 1").column_values(0)
          [ rows.size, digest(rows.join("\n")) ]
        end
      end
    rescue PG::ConnectionBad
      nil
    end

    def digest(text) = Digest::SHA256.hexdigest(text).first(16)

    # @return the databases that this test made
    def databases
      server do |connection|
        connection.exec("SELECT datname FROM pg_database ORDER BY 1").column_values(0)
          .select { |name| name.start_with?(@there.database) }
      end
    end
end
