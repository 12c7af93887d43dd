# Checks the content of a gzip -n file piece by piece, without keeping it.
class Machine::Inflation
  PIECE = 256.kilobytes

  def initialize(path)
    @path = path
  end

  # Returns whether it is one complete stream of at most limit bytes.
  def within?(limit)
    @path.open("rb") do |io|
      io.seek Gzip::HEADER
      inflate(io, @path.size - Gzip::HEADER - Gzip::TRAILER, limit)
    end
  end

  # Returns whether the content has the checksum and the size of its trailer, which the zip repeats.
  def as_told?
    @path.binread(8, @path.size - 8).unpack("V2") == [ @crc32, @bytes % 2**32 ]
  end

  private
    def inflate(io, body, limit)
      inflater, left = Zlib::Inflate.new(-Zlib::MAX_WBITS), body
      @crc32, @bytes = 0, 0
      while left.positive? && (piece = io.read([ PIECE, left ].min))
        left -= piece.bytesize
        inflater.inflate(piece) do |plain|
          @crc32, @bytes = Zlib.crc32(plain, @crc32), @bytes + plain.bytesize
          return false if @bytes > limit
        end
      end
      inflater.finished? && inflater.total_in == body
    rescue Zlib::Error
      false
    ensure
      inflater&.close
    end
end
