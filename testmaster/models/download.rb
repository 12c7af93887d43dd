# Sends a file to a client that may read slowly. A thread of its own writes to the connection, which the web server has
# handed over, so that no thread of the web server waits for the reader.
class Download
  AT_ONCE, OF_ONE = 32, 8 # in this process, and of one account
  SILENCE = 60 # seconds in which the client must read something
  LONGEST = 12.hours
  GOODBYE, LEFT_OVER = 5, 1.megabyte # seconds and bytes that the client may take to close the connection

  @under_way, @mutex = [], Mutex.new

  class << self
    # Returns why no further download can start; nil if it can.
    def objection(user)
      @mutex.synchronize do
        if @under_way.size >= AT_ONCE
          "#{AT_ONCE} downloads are in progress, which is the limit. Try again in a moment."
        elsif @under_way.count(user.id) >= OF_ONE
          "#{OF_ONE} downloads of yours are in progress, which is the limit. Try again when one has ended."
        end
      end
    end

    # Starts the download and returns at once. It closes the socket at the end; a download that is cut off is shorter
    # than its announced length.
    def begin(blob, socket, user)
      @mutex.synchronize { @under_way << user.id }
      Thread.new do
        new(blob, socket).perform
      ensure
        @mutex.synchronize { @under_way.delete_at @under_way.index(user.id) }
      end
    end
  end

  def initialize(blob, socket)
    @blob, @socket, @ends_at = blob, socket, now + LONGEST
  end

  def perform
    @blob.download { |piece| send piece }
    say_goodbye
  rescue SystemCallError, IOError
    nil # the client has closed the connection, or does not read any more
  rescue StandardError => error
    Rails.error.report error, handled: true, context: { blob: @blob.id }
  ensure
    @socket.close
  end

  private
    def send(piece)
      until piece.empty?
        written = @socket.write_nonblock(piece, exception: false)
        if written == :wait_writable
          @socket.wait_writable([ SILENCE, @ends_at - now ].min) or raise Errno::ETIMEDOUT
        else
          piece = piece.byteslice(written..)
        end
        raise Errno::ETIMEDOUT if now > @ends_at
      end
    end

    # Closing a connection with unread data resets it, and the reset discards data that is still being sent.
    def say_goodbye
      return unless @socket.is_a?(BasicSocket)

      @socket.close_write
      until_at, left = now + GOODBYE, LEFT_OVER
      while left.positive? && @socket.wait_readable([ until_at - now, 0 ].max)
        piece = @socket.read_nonblock(16.kilobytes, exception: false) or break
        left -= piece.bytesize if piece.is_a?(String)
      end
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
end
