# What a file that was compressed by gzip -n inflates to, looked at piece by piece and kept nowhere.
class Machine::Inflation
  PIECE = 256.kilobytes

  def initialize(path)
    @path = path
  end

  # Whether it is one whole stream of so many bytes at most
  def within?(limit)
    @path.open("rb") do |io|
      io.seek Gzip::HEADER
      inflate(io, @path.size - Gzip::HEADER - Gzip::TRAILER, limit)
    end
  end

  # Whether what it was inflated to has the checksum and the size that its end tells, which the zip repeats
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
