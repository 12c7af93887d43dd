require "test_helper"

class OwnBufferTest < ActiveSupport::TestCase
  test "a thread resets only its own buffer" do
    client = Puma::Client.new(UNIXSocket.pair.first)
    client.io_buffer << "HTTP/1.1 200 OK\r\n"
    Thread.new { client.io_buffer.reset }.join

    assert_equal "HTTP/1.1 200 OK\r\n", client.io_buffer.read_and_reset
  end
end
