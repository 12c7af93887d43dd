# What a machine says that it has of a run, read as hostile input: machines are less trusted than we are. A path is
# believed only where it is one that files of a run have, in a folder of the run, and all of it only up to limits.
class Machine::Listing
  LONGEST = 8.megabytes # of the listing itself
  MOST_FILES = 10_000
  MOST_BYTES = 64.gigabytes # compressed, of one machine
  MOST_INFLATED = 256.gigabytes # likewise

  File = Struct.new(:path, :bytes, :compressed_bytes, :digest, keyword_init: true)

  NAME = /\w[\w.+-]{0,120}/
  LINE = %r{\A(?:(?<digest>\h{64})|(?<bytes>\d{1,15})) {1,2}\./(?<path>.+)\z}

  # Files by their names before compression, in their order, and the lines that name none.
  attr_reader :files, :refused

  # kept_files: those of a JVM's folder that are collected beside its logs
  def initialize(text, kept_files)
    @path =
      %r{\A(?:(?:broker|client)_\d{1,6}/(?:logs(?:/#{NAME}){1,4}|(?:#{Regexp.union(kept_files)})[\w.]{0,20})|
        monitor/machine\.csv[\w.]{0,20})\z}x
    @sizes, @digests, @refused = {}, {}, []
    text.scrub.each_line(chomp: true) { |line| read line }
    @files = @digests.map { |path, digest| file(path.delete_suffix(".gz"), digest) }.sort_by(&:path)
    keep_limits
  end

  private
    def read(line)
      match = LINE.match(line)

      if match && match[:path].match?(@path)
        match[:digest] ? @digests[match[:path]] = match[:digest] : @sizes[match[:path]] = match[:bytes].to_i
      else
        @refused << line.sub(/\A\S+ +/, "").truncate(200)
      end
    end

    def file(path, digest)
      File.new path: path, bytes: @sizes[path].to_i, compressed_bytes: @sizes["#{path}.gz"].to_i, digest: digest
    end

    def keep_limits
      refuse "#{@files.size} files, and #{MOST_FILES} at most are collected" if @files.size > MOST_FILES
      bytes = @files.sum(&:compressed_bytes)
      refuse "#{bytes} bytes of files, and #{MOST_BYTES} at most are collected" if bytes > MOST_BYTES
      inflated = @files.sum(&:bytes)
      refuse "files that inflate to #{inflated} bytes, and #{MOST_INFLATED} at most are collected" if
        inflated > MOST_INFLATED
    end

    def refuse(what)
      raise Failure.new("It lists #{what}", advice: "Look what fills the folder of the run on that machine.")
    end
end
