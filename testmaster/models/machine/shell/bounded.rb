# Passes on a limited number of bytes, as a machine may send endlessly.
class Machine::Shell::Bounded
  attr_reader :sink

  def initialize(sink, limit)
    @sink, @limit, @left = sink, limit, limit
  end

  def <<(chunk)
    @left -= chunk.bytesize
    raise Machine::CommandFailed, "It said more than the #{@limit} bytes that were expected" if @left.negative?

    @sink << chunk
    self
  end
end
