require "zip_kit"

# Reads logs in the zip of a run. Text far back in a file requires inflating all that precedes it, piece by piece, which
# takes time but no memory.
class Outcome::Log::Archived
  PIECE = 256.kilobytes # compressed
  FURTHEST = 2.gigabytes # bytes into a file, as a log may inflate to any size
  PATH = %r{\Alogs/[^/]+/(?<jvm>(?:broker|client)_\d+)/(?<name>[^/]+(?<!\.jfr))\z} # recordings are no text

  class << self
    # Yields the logs in the zip of a run.
    def open(run)
      run.outcome.open_archive { |zip| File.open(zip, "rb") { |io| yield new(io) } }
    rescue Errno::ENOENT, ActiveStorage::FileNotFoundError
      raise Failure.new("The zip of the run is no longer in the storage", advice: "Restore it from a backup.")
    rescue ZipKit::FileReader::ReadError, ZipKit::FileReader::InvalidStructure, ZipKit::FileReader::MissingEOCD => error
      raise Failure, "The zip of the run cannot be read: #{error.message}"
    end
  end

  def initialize(io)
    @io = io
    @entries = ZipKit::FileReader.read_zip_structure(io: io).filter_map { |entry| [ $~, entry ] if PATH.match(entry.filename) }
  end

  def logs
    @logs ||= @entries.map { |path, entry| Outcome::Log.new(self, path[:jvm], path[:name], entry.uncompressed_size) }
  end

  def find(jvm, name)
    logs.find { |log| log.jvm == jvm && log.name == name }
  end

  def cut_at
    FURTHEST
  end

  # Returns [ text, its offset, size of the file ].
  def read(log, at, bytes)
    from = at ? at.clamp(0, log.bytes) : [ log.bytes - bytes, 0 ].max
    from = [ from, FURTHEST ].min
    text, passed = +"", 0
    each_piece(log) do |piece|
      if passed + piece.bytesize > from
        text << piece.byteslice([ from - passed, 0 ].max, from + bytes - [ passed, from ].max)
      end
      passed += piece.bytesize
      break if passed >= from + bytes
    end
    [ text, from, log.bytes ]
  end

  # Yields the whole file from the start, in pieces of some KB.
  def each_piece(log, &block)
    entry = entry_of(log)
    @io.seek entry.compressed_data_offset
    entry.storage_mode == 8 ? inflate(entry.compressed_size, &block) : copy(entry.compressed_size, &block)
  end

  private
    def entry_of(log)
      @entries.fetch(logs.index(log)).last
    end

    def copy(left)
      while left.positive? && (piece = @io.read([ PIECE, left ].min))
        left -= piece.bytesize
        yield piece
      end
    end

    def inflate(bytes, &block)
      inflater = Zlib::Inflate.new(-Zlib::MAX_WBITS)
      copy(bytes) { |piece| inflater.inflate(piece, &block) }
    rescue Zlib::Error => error
      raise Failure, "A log in the zip is damaged: #{error.message}"
    ensure
      inflater&.close
    end
end
