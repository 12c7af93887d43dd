require "test_helper"
require "puma"
require "puma/server"

class DownloadsTest < ActiveSupport::TestCase
  THREADS = 2

  setup do
    @run = test_runs(:finished)
    @content = Random.bytes(24_000_000) # more than the buffers between server and client hold
    @run.archive.attach io: StringIO.new(@content), filename: "test_run.zip", content_type: "application/zip",
      identify: false
    @server = Puma::Server.new(Rails.application, nil, min_threads: THREADS, max_threads: THREADS)
    @port = @server.add_tcp_listener("127.0.0.1", 0).addr[1]
    @server.run
    @readers = []
  end

  teardown do
    @readers.each(&:close)
    await { Download.instance_variable_get(:@under_way).empty? }
    @server.stop true
  end

  test "slow downloads do not block pages" do
    headers = Array.new(THREADS + 1) { begin_download }.map { |reader| headers_from reader }
    assert_equal [ [ "200 OK", @content.bytesize.to_s ] ],
      headers.map { |it| it.values_at("status", "content-length") }.uniq
    assert_equal "nosniff", headers.first["x-content-type-options"]
    assert_match(/\Aattachment; filename="test_run.zip"/, headers.first["content-disposition"])

    assert_equal "200", ask("/test_runs/#{@run.id}.json").code
    digests = @readers.map { |reader| Digest::SHA256.hexdigest(reader.read) }
    assert_equal [ Digest::SHA256.hexdigest(@content) ], digests.uniq
  end

  test "limits the downloads of one account" do
    Download::OF_ONE.times { headers_from begin_download }
    answer = ask("/test_runs/#{@run.id}/archive")
    assert_equal [ "503", "30" ], [ answer.code, answer["Retry-After"] ]
    assert_match "#{Download::OF_ONE} downloads of yours are in progress", answer.body

    @readers.shift.close
    await { Download.objection(users(:experimenter)).nil? }
    assert_equal @content.bytesize, ask("/test_runs/#{@run.id}/archive").body.bytesize
  end

  test "a reader that takes nothing is dropped" do
    with_constant Download, :SILENCE, 0.2 do
      reader = begin_download
      headers_from reader
      await { Download.instance_variable_get(:@under_way).empty? }
      assert_operator reader.read.bytesize, :<, @content.bytesize
    end
  end

  test "pipelined requests do not cut a download" do
    reader = begin_download
    headers_from reader
    reader << "GET /up HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 20
    assert_equal @content.bytesize, reader.read.bytesize
  end

  test "a file missing in storage responds 410" do
    @run.archive.service.delete @run.archive.key
    answer = ask("/test_runs/#{@run.id}/archive")
    assert_equal "410", answer.code
    assert_match "test_run.zip is no longer in storage. Restore it from a backup", answer.body
  end

  private
    def begin_download
      TCPSocket.new("127.0.0.1", @port).tap do |socket|
        @readers << socket
        socket << "GET /test_runs/#{@run.id}/archive HTTP/1.1\r\nHost: 127.0.0.1\r\n" \
          "Authorization: Bearer tm_a_token_of_the_tests\r\n\r\n"
      end
    end

    def headers_from(reader)
      status = reader.gets.split(" ", 2).last.chomp
      lines = reader.each_line.take_while { |line| line != "\r\n" }
      { "status" => status, **lines.to_h { |line| line.chomp.split(": ", 2) }.transform_keys(&:downcase) }
    end

    def ask(path)
      Net::HTTP.start("127.0.0.1", @port, read_timeout: 20) do |http|
        http.get(path, "Authorization" => "Bearer tm_a_token_of_the_tests")
      end
    end

    def with_constant(owner, name, value)
      before = owner.const_get(name)
      owner.send :remove_const, name
      owner.const_set name, value
      yield
    ensure
      owner.send :remove_const, name
      owner.const_set name, before
    end
end
