require "puma"
require "puma/server"

# Puma (6.0 to 8.0.2 at least) empties the buffer of a connection after it has handed the connection to another thread.
# That thread may be writing its answer into the buffer by then, and the answer loses its first line. A buffer of each
# thread cannot be emptied by another one.
module Puma::OwnBuffer
  def io_buffer
    Thread.current[:puma_io_buffer] ||= Puma::IOBuffer.new
  end
end
Puma::Client.prepend Puma::OwnBuffer
