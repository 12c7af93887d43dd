# Hands on so many bytes and no more: a machine may talk for ever.
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
