require "test_helper"

class Machine::CollectableTest < ActiveSupport::TestCase
  KEPT = %w[ config.properties command.txt.result ]

  setup do
    @directory, @here = Pathname(Dir.mktmpdir), Pathname(Dir.mktmpdir)
    @machine = machines(:running_local)
    @machine.update! directory: @directory.to_s
    write "broker_0/logs/performance_broker_0.log", "1;2;BTotReqResp;C[1]\n" * 50_000
    write "broker_0/logs/.keep", ""
    write "broker_0/config.properties", "broker.workers=2\n"
    write "broker_0/pid", "1\n"
    write "monitor/machine.csv", "ms,cpu\n"
  end

  teardown { FileUtils.rm_rf [ @directory, @here ] }

  test "only logs, settings and measurements are fetched" do
    files = @machine.compress_logs(KEPT).files

    assert_equal %w[ broker_0/config.properties broker_0/logs/performance_broker_0.log monitor/machine.csv ],
      files.map(&:path)
    files.each do |file|
      assert_equal @directory.join(file.path).read, Zlib::GzipReader.open(@machine.fetch(file, @here), &:read)
    end
  end

  test "a partial file is completed, a damaged one replaced" do
    file = @machine.compress_logs(KEPT).files.second
    half = @here.join("local", "#{file.path}.gz")
    half.dirname.mkpath
    half.binwrite @directory.join("#{file.path}.gz").binread(100)
    assert_equal file.compressed_bytes, @machine.fetch(file, @here).size

    half.binwrite "x" * file.compressed_bytes
    assert_equal file.digest, Digest::SHA256.file(@machine.fetch(file, @here)).hexdigest
  end

  test "a changed file is refused, the others are fetched" do
    @machine.compress_logs(KEPT)
    write "broker_0/logs/performance_broker_0.log.gz", "another"
    fetched = @machine.fetch_logs(@here, KEPT)

    good, bad = fetched.partition { |_, result| result.is_a?(Pathname) }
    assert_equal %w[ broker_0/config.properties monitor/machine.csv ], good.map { |file, _| file.path }
    assert_equal [ "broker_0/logs/performance_broker_0.log of local came damaged" ],
      bad.map { |_, failure| failure.message }
    refute_path_exists @here.join("local/broker_0/logs/performance_broker_0.log.gz")
  end

  test "a lost connection is reopened where it stopped" do
    file = @machine.compress_logs(KEPT).files.second
    offsets = interrupt_downloads(times: 2, after: 100)

    assert_equal file.digest, Digest::SHA256.file(@machine.fetch(file, @here)).hexdigest
    assert_equal [ 0, 100, 200 ], offsets
  end

  test "an unreachable machine is tried once for all files" do
    offsets = interrupt_downloads(times: 1000, after: 0)
    fetched = @machine.fetch_logs(@here, KEPT)

    assert_equal [ "gone" ], fetched.values.map(&:message).uniq
    assert_operator offsets.size, :<=, Machine::Collectable::FETCHED_AT_ONCE
  end

  test "an interrupted compression is repeated" do
    write "broker_0/logs/performance_broker_0.log.gz", "half"
    listed = @machine.compress_logs(KEPT).files
    assert_operator listed.second.compressed_bytes, :>, 100

    write "broker_0/logs/late.log", "too late"
    assert_equal listed, @machine.compress_logs(KEPT).files
  end

  test "concurrent compressions leave whole files" do
    8.times { |n| write "client_#{n}/logs/performance_client_#{n}.log", "1;2;CSndReq#OK;C[#{n}]\n" * 100_000 }
    @machine.shell

    listings = Array.new(3) { |n| Thread.new { sleep n * 0.05; @machine.compress_logs(KEPT).files } }.map(&:value)
    assert_equal 1, listings.uniq.size
    listings.first.each do |file|
      assert_equal file.digest, Digest::SHA256.file(@directory.join("#{file.path}.gz")).hexdigest
    end
  end

  test "a changing file inflates to no more than listed" do
    log, stop = @directory.join("broker_0/logs/stdout.log"), false
    log.write "x" * 2_000_000
    writer = Thread.new do
      size = 2_000_000
      until stop
        log.truncate size
        log.open("a") { |io| io.write "y" * (size = rand(1_000..2_000_000)) }
      end
    end
    10.times do
      file = @machine.compress_logs(KEPT).files.find { |it| it.path == "broker_0/logs/stdout.log" }
      inflated = Zlib::GzipReader.open(@directory.join("#{file.path}.gz"), &:read).bytesize
      assert_operator inflated, :<=, file.bytes
      @directory.join("listing").delete
    end
  ensure
    stop = true
    writer&.join
  end

  test "a growing log leaves a sound zip" do
    file = @machine.compress_logs(KEPT).files.second.tap { |it| it.bytes += 21 }
    zip = StringIO.new("".b)
    Outcome::Archive.new(test_runs(:running),
      [ Outcome::Archive::Item.new("local", file, @machine.fetch(file, @here)) ], {}).write_to zip

    Zip::File.open_buffer(StringIO.new(zip.string)) do |entries|
      assert_equal @directory.join(file.path).read,
        entries.find_entry("logs/local/broker_0/performance_broker_0.log").get_input_stream.read
    end
  end

  test "paths outside the folder are not written" do
    outside = @here.join("outside/evil")
    paths = [ outside.to_s.delete_prefix("/"), "../../outside/evil", "broker_0/logs/../../../../outside/evil",
      "broker_0/logs/.hidden", "broker_0/logs/two\twords" ]
    digest = Digest::SHA256.hexdigest(gzip("evil"))
    listing = @machine.compress_logs(KEPT).files.flat_map do |file|
      [ "#{file.bytes} ./#{file.path}", "#{file.compressed_bytes} ./#{file.path}.gz",
        "#{file.digest}  ./#{file.path}.gz" ]
    end
    listing += [ outside.to_s, *paths ].flat_map do |path|
      [ "4 ./#{path}", "#{gzip("evil").bytesize} ./#{path}.gz", "#{digest}  ./#{path}.gz",
        "#{gzip("evil").bytesize} #{path}.gz", "#{digest}  #{path}.gz" ]
    end
    paths.each { |path| write "#{path}.gz", gzip("evil") }
    write "listing", listing.join("\n") + "\n"

    spool = @here.join("runs/spool")
    fetched = @machine.fetch_logs(spool, KEPT)
    assert_equal %w[ broker_0/config.properties broker_0/logs/performance_broker_0.log monitor/machine.csv ],
      fetched.reject { |_, result| result.is_a?(Failure) }.keys.map(&:path).sort
    assert_equal [],
      @here.glob("**/*", File::FNM_DOTMATCH).select(&:file?).reject { |file| file.to_s.start_with?("#{spool}/local/") }
    assert_match "evil", fetched.select { |_, result| result.is_a?(Failure) }.values.map(&:message).join
  end

  test "an oversized listing is refused before any fetch" do
    { "1 ./broker_0/logs/a.log\n" * 3 + "x" * Machine::Limits::LISTING => "said more than",
      Array.new(Machine::Limits::FILES + 1) { |n| "#{"a" * 64}  ./broker_0/logs/#{n}.gz\n" }.join => "files",
      "#{Machine::Limits::INFLATED + 1} ./broker_0/logs/a.log\n#{"a" * 64}  ./broker_0/logs/a.log.gz\n" =>
        "inflate",
      "#{Machine::Limits::BYTES} ./broker_0/logs/a.log.gz\n#{"a" * 64}  ./broker_0/logs/a.log.gz\n1 " \
        "./broker_0/logs/b.log.gz\n#{"b" * 64}  ./broker_0/logs/b.log.gz\n" => "bytes" }.each do |listing, complaint|
      write "listing", listing
      assert_match complaint, assert_raises(Failure) { @machine.fetch_logs(@here, KEPT) }.message
    end
    assert_empty @here.children
  end

  test "a file longer than listed is cut off" do
    file = @machine.compress_logs(KEPT).files.second
    @machine.shell.define_singleton_method(:download) { |_, output, **| 1_000.times { output << "x" * 1_000 } }

    assert_match "more than", assert_raises(Failure) { @machine.fetch(file, @here) }.message
    assert_operator @here.join("local", "#{file.path}.gz").size?.to_i, :<=, file.compressed_bytes
  end

  test "a file that inflates to another size is missing" do
    bomb = gzip("0" * 5_000_000)
    [ [ bomb, 1_000 ], [ bomb.byteslice(0, bomb.bytesize - 100) + "x" * 8, 6_000_000 ],
      [ bomb.byteslice(0, bomb.bytesize - 8) + bomb, 20_000_000 ] ].each do |bytes, said|
      @machine.compress_logs(KEPT)
      write "broker_0/logs/performance_broker_0.log.gz", bytes
      lines = @directory.join("listing").read.lines.grep_v(/performance/)
      write "listing", [ *lines, "#{said} ./broker_0/logs/performance_broker_0.log\n",
        "#{bytes.bytesize} ./broker_0/logs/performance_broker_0.log.gz\n",
        "#{Digest::SHA256.hexdigest(bytes)}  ./broker_0/logs/performance_broker_0.log.gz\n" ].join

      missed, fetched = @machine.fetch_logs(@here, KEPT).partition { |_, result| result.is_a?(Failure) }
      assert_equal [ "broker_0/logs/performance_broker_0.log of local does not inflate to the #{said} bytes that it " \
        "is said to have" ], missed.map { |_, failure| failure.message }
      assert_equal 2, fetched.size
      refute_path_exists @here.join("local/broker_0/logs/performance_broker_0.log.gz")
    end
  end

  test "a file that is not gzip is missing from the zip" do
    @machine.compress_logs(KEPT)
    write "broker_0/logs/performance_broker_0.log.gz", "short"
    lines = @directory.join("listing").read.lines.grep_v(/performance/)
    write "listing",
      [ *lines, "5 ./broker_0/logs/performance_broker_0.log.gz\n",
        "#{Digest::SHA256.hexdigest("short")}  ./broker_0/logs/performance_broker_0.log.gz\n" ].join

    kept, fetched = @machine.fetch_logs(@here, KEPT).partition { |_, result| result.is_a?(Failure) }
    assert_equal [ "broker_0/logs/performance_broker_0.log" ], kept.map { |file, _| file.path }
    items = fetched.map { |file, path| Outcome::Archive::Item.new("local", file, path) }
    Outcome::Archive.new(test_runs(:running), items, {}).write_to StringIO.new("".b)
  end

  private
    def gzip(text)
      ActiveSupport::Gzip.compress(text)
    end

    def write(path, content)
      FileUtils.mkdir_p @directory.join(path).dirname
      @directory.join(path).binwrite content
    end

    # Interrupts the first downloads, as a lost connection does. @return the offsets of all downloads
    def interrupt_downloads(times:, after:)
      offsets, whole = [], @machine.shell.method(:download)
      @machine.shell.define_singleton_method :download do |path, output, offset: 0, **|
        offsets << offset
        return whole.call(path, output, offset: offset) if offsets.size > times

        output << File.binread(path, after, offset)
        raise Machine::Unreachable, "gone"
      end
      offsets
    end
end
