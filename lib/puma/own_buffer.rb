require "puma"
require "puma/server"

# Gives each thread a buffer of its own. Puma (6.0 to 8.0.2 at least) clears the buffer of a connection after it has
# handed the connection to another thread. That thread may already be writing its response into the buffer, which then
# loses its first line.
module Puma::OwnBuffer
  def io_buffer
    Thread.current[:puma_io_buffer] ||= Puma::IOBuffer.new
  end
end
Puma::Client.prepend Puma::OwnBuffer
