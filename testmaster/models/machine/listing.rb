# Parses a machine's list of files as hostile input, as machines are less trusted than the Testmaster. It accepts only
# paths that files of a run have, in a folder of the run, within limits.
class Machine::Listing
  include Machine::Limits

  File = Struct.new(:path, :bytes, :compressed_bytes, :digest, keyword_init: true) do
    # Returns the path below the machine's folder in the zip.
    def path_in_zip
      path.sub("/logs/", "/").delete_prefix("monitor/")
    end

    # Returns the paths of the file here and in the zip.
    def places
      [ "here/#{path}.gz", "zip/#{path_in_zip}" ]
    end
  end

  NAME = /\w[\w.+-]{0,120}/
  LINE = %r{\A(?:(?<digest>\h{64})|(?<bytes>\d{1,15})) {1,2}\./(?<path>.+)\z}

  # Files by their names before compression, in their order; the first refused names, and the number of refused names.
  attr_reader :files, :refused, :refused_count

  # kept_files are collected from a JVM's folder beside its logs.
  def initialize(text, kept_files)
    @path =
      %r{\A(?:(?:broker|client)_\d{1,6}/(?:logs(?:/#{NAME}){1,4}|(?:#{Regexp.union(kept_files)})[\w.]{0,20})|
        monitor/(?:machine|programs)\.csv[\w.]{0,20})\z}x
    @sizes, @digests, @refused, @refused_count = {}, {}, Set.new, 0
    text.scrub.each_line(chomp: true) { |line| read line }
    @files = @digests.map { |path, digest| file(path.delete_suffix(".gz"), digest) }.sort_by(&:path)
    keep_limits
    leave_out_what_is_in_the_way
  end

  private
    def read(line)
      match = LINE.match(line)

      if match && match[:path].match?(@path)
        match[:digest] ? @digests[match[:path]] = match[:digest] : @sizes[match[:path]] = match[:bytes].to_i
      else
        leave_out line.sub(/\A\S+ +/, "")
      end
    end

    def file(path, digest)
      File.new path: path, bytes: @sizes[path].to_i, compressed_bytes: @sizes["#{path}.gz"].to_i, digest: digest
    end

    def leave_out(name)
      name = ForeignText.fit(name, 200)
      return if @refused.include?(name)

      @refused_count += 1
      @refused << name if @refused.size < REFUSED
    end

    # No file may have the path of another file, or of its folder.
    def leave_out_what_is_in_the_way
      taken, folders = Set.new, Set.new
      @files = @files.select do |file|
        above = file.places.flat_map { |place| folders_of(place) }
        free = [ taken, folders ].none? { |known| known.intersect?(file.places.to_set) } &&
          !taken.intersect?(above.to_set)
        free ? taken.merge(file.places) && folders.merge(above) : leave_out(file.path)
        free
      end
    end

    def folders_of(place)
      place.split("/")[0..-2].each_with_object([]) { |part, all| all << [ all.last, part ].compact.join("/") }
    end

    def keep_limits
      refuse "#{@files.size} files, and #{FILES} at most are collected" if @files.size > FILES
      bytes = @files.sum(&:compressed_bytes)
      refuse "#{bytes} bytes of files, and #{BYTES} at most are collected" if bytes > BYTES
      inflated = @files.sum(&:bytes)
      refuse "files that inflate to #{inflated} bytes, and #{INFLATED} at most are collected" if
        inflated > INFLATED
    end

    def refuse(what)
      raise Failure.new("It lists #{what}", advice: "Look what fills the folder of the run on that machine.")
    end
end
