require "test_helper"

class DatabaseServer::RemoteTest < ActiveSupport::TestCase
  # After the login, the server does what the test says.
  class Server
    AUTHENTICATED = [ "R", 8, 0 ].pack("a1NN") + [ "Z", 5, "I" ].pack("a1Na1")
    DONE = [ "C", 8, "SET\0", "Z", 5, "I" ].pack("a1Na4a1Na1")
    COPY_OUT = [ "H", 7, 0, 0 ].pack("a1NCn")

    attr_reader :port

    def initialize(&answer)
      @listener = TCPServer.new("127.0.0.1", 0)
      @port = @listener.addr[1]
      @thread = Thread.new { serve @listener.accept, &answer }
    end

    def close
      @listener.close
      @thread.kill
    end

    private
      def serve(client)
        client.read(client.read(4).unpack1("N") - 4)
        client << AUTHENTICATED
        read_message client # client_encoding
        client << DONE
        read_message client
        yield client
        sleep
      rescue SystemCallError
        nil # the client has closed the connection
      end

      def read_message(client)
        client.read 1
        client.read client.read(4).unpack1("N") - 4
      end
  end

  test "a server that goes silent after login times out" do
    listener = TCPServer.new("127.0.0.1", 0)
    clients = Queue.new
    Thread.new { clients << listener.accept.tap { |client| client << Server::AUTHENTICATED } }
    remote = DatabaseServer::Remote.new(Address::Database.new(url_of(listener.addr[1])))

    assert_match "The database does not answer", assert_raises(Failure) {
      remote.ask "x", [ Console::Question.new("SELECT 1") ], settings: { jit: "off" }
    }.message
  ensure
    listener.close
  end

  test "a server that never responds times out" do
    with_server(->(_) { }) do |remote|
      assert_match "was not done after 0.3 s", assert_raises(Failure) { copy remote, +"" }.message
    end
  end

  test "a server that stops within a row times out" do
    with_server(->(client) { client << Server::COPY_OUT << [ "d", 1_000, "half" ].pack("a1Na*") }) do |remote|
      assert_match "was not done after 0.3 s", assert_raises(Failure) { copy remote, +"" }.message
    end
  end

  test "an endless result ends at the time or byte limit" do
    row = [ "d", 1_004, "x" * 1_000 ].pack("a1Na*")
    endless = ->(client) { client << Server::COPY_OUT; loop { client << row } }
    with_server(endless) do |remote|
      nothing = Object.new.tap { |sink| sink.define_singleton_method(:<<) { |_| self } }
      assert_match "was not done after 0.3 s", assert_raises(Failure) { copy remote, nothing }.message
    end
    with_server(endless) do |remote|
      bounded = Machine::Shell::Bounded.new(+"", 50_000)
      assert_match "more than the 50000 bytes", assert_raises(Failure) { copy remote, bounded }.message
    end
  end

  test "rows arrive whole, and an error in them is raised" do
    remote = DatabaseServer::Remote.new(Address::Database.new(own_url))
    said = +""
    remote.copy remote.maintenance, "COPY (SELECT n, repeat('x', 20000) FROM generate_series(1, 300) n) TO STDOUT", said
    assert_equal [ 300, "300\t#{"x" * 20_000}\n" ], [ said.lines.size, said.lines.last ]

    assert_match "division by zero", assert_raises(Failure) {
      remote.copy remote.maintenance, "COPY (SELECT 1 / (100 - n) FROM generate_series(1, 200) n) TO STDOUT", +""
    }.message
    assert_equal %W[ 1\n 2\n ], remote.read(remote.maintenance, [ 1, 2 ].map { |n| "COPY (SELECT #{n}) TO STDOUT" })
  end

  private
    def with_server(answer)
      server = Server.new(&answer)
      yield DatabaseServer::Remote.new(Address::Database.new(url_of(server.port)))
    ensure
      server.close
    end

    def url_of(port)
      "postgresql://somebody@127.0.0.1:#{port}/x?sslmode=disable&gssencmode=disable"
    end

    def copy(remote, io)
      remote.send(:connect, "x") { |connection| remote.send :receive, connection, "COPY …", io, within: 0.3 }
    end

    def own_url
      own = ApplicationRecord.connection.raw_connection
      "postgresql://#{own.user}:#{ERB::Util.url_encode(own.pass)}@#{own.host}:#{own.port}/#{own.db}"
    end
end
