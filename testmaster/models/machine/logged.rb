# Reads logs of JVMs on their machine while they are written: with one command each time, and only the bytes that a page
# shows.
module Machine::Logged
  PATIENCE = 15 # seconds
  ALL_ENDS, END_OF_ONE = 2.megabytes, 128.kilobytes
  SEARCHED = 32.megabytes # of all logs of a machine, so that the search does not disturb the measurement

  # sizes is { "broker_0/logs/stdout.log" => bytes }. ends is { path => end of the file }, of at most limit bytes;
  # searched is the number of bytes of each file that were searched for words.
  LogsSeen = Struct.new(:sizes, :ends, :limit, :searched)

  # paths are the files whose end is wanted: the whole end, or the lines that contain the words.
  def ends_of_logs(paths, words)
    bytes, searched = [ ALL_ENDS / [ paths.size, 1 ].max, END_OF_ONE ].min, SEARCHED / [ paths.size, 1 ].max
    said = String.new
    script! "logs", bytes, searched, words.to_s, *paths, timeout: PATIENCE,
      output: Machine::Shell::Bounded.new(said, 2 * ALL_ENDS + 1.megabyte)
    read_ends said.force_encoding(Encoding::UTF_8).scrub, LogsSeen.new({}, {}, bytes, searched)
  end

  # Returns [ text, its offset, size of the file ].
  def part_of_log(path, at, bytes)
    said = String.new
    script! "log", path, at || "end", bytes, timeout: PATIENCE, output: Machine::Shell::Bounded.new(said, bytes + 30)
    size, text = said.force_encoding(Encoding::BINARY).split("\n", 2)
    raise Failure.new("#{name} did not report the length of #{path}", machine: self) unless size&.match?(/\A\d{1,15}\z/)

    [ text.to_s, at ? [ at, size.to_i ].min : size.to_i - text.to_s.bytesize, size.to_i ]
  end

  private
    def read_ends(said, seen)
      path = nil
      said.each_line(chomp: true) do |line|
        case line
        when /\A (.*)/m                then seen.ends[path] << $1 << "\n" if path
        when /\Alog (\d{1,15}) (.+)\z/  then seen.ends[path = $2] = +"" if note_size(seen, $2, $1)
        when /\Afile (\d{1,15}) (.+)\z/ then note_size seen, $2, $1
        end
      end
      seen
    end

    # Returns whether another file fits.
    def note_size(seen, path, bytes)
      room = seen.sizes.key?(path) || seen.sizes.size < Machine::Limits::LOGS_SHOWN
      seen.sizes[path] = bytes.to_i if room
      room
    end
end
