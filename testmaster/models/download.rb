# A file on its way to somebody who may read slowly: a thread of its own writes it to the connection, which the web
# server has given away, so that no thread that answers pages waits for the reader.
class Download
  AT_ONCE, OF_ONE = 32, 8 # in this process, and of one account
  SILENCE = 60 # seconds in which the other side must take something
  LONGEST = 12.hours
  GOODBYE, LEFT_OVER = 5, 1.megabyte # seconds and bytes that the other side may take to say that it has all

  @under_way, @mutex = [], Mutex.new

  class << self
    # Why there is no room for another one; nil where there is
    def objection(user)
      @mutex.synchronize do
        if @under_way.size >= AT_ONCE
          "#{AT_ONCE} downloads are under way, and no more may be. Try again in a moment."
        elsif @under_way.count(user.id) >= OF_ONE
          "#{OF_ONE} downloads of yours are under way, and no more may be. Try again when one has ended."
        end
      end
    end

    # Begins, and returns at once. The socket is closed in the end; what is cut off is shorter than was announced.
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
    nil # the other side has gone, or is taken for gone
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

    # A connection that is closed while something of the other side's is unread is reset, with what is on its way there.
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
