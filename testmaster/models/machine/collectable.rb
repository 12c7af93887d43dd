# Collects the files of a machine: compresses them there, fetches them in parallel, then compares digests.
module Machine::Collectable
  FETCHED_AT_ONCE = 4
  GZIP = "\x1f\x8b\x08\x00".b # start of the ten-byte header of gzip -n

  # Compresses and lists all files. If the compression of a killed worker still runs, it waits for it. kept_files are
  # collected from a JVM's folder beside its logs.
  def compress_logs(kept_files)
    said = String.new
    script! "compress", *kept_files, output: Machine::Shell::Bounded.new(said, Machine::Limits::LISTING), timeout: 3600
    Machine::Listing.new said, kept_files
  end

  # Compresses and fetches all files. Returns { file => path of its compressed copy in the folder, or the Failure that
  # prevented it }. An unreachable machine is not tried again for every file.
  def fetch_logs(folder, kept_files)
    listing, gone = compress_logs(kept_files), nil

    side_by_side(listing.files, at_once: FETCHED_AT_ONCE) do |file|
      gone || fetch(file, folder)
    rescue Machine::Unreachable => failure
      gone = failure
    rescue Failure => failure
      failure
    end.merge(refusals(listing))
  end

  # Fetches a compressed file into a folder, resumes an earlier attempt, and compares it. Returns its path.
  def fetch(file, folder)
    target = Pathname(folder).join(name, "#{file.path}.gz")
    target.dirname.mkpath
    resumed = target.exist?
    fetch_rest file, target
    return honest(file, target) if intact?(file, target)

    # The part of an earlier attempt may be damaged, as after a power cut; then the whole file is fetched again.
    target.delete
    resumed ? fetch(file, folder) :
      raise(Machine::CommandFailed.new("#{file.path} of #{name} came damaged", machine: self))
  end

  # Returns whether the machine may have files of the run.
  def in_hand?
    directory? && (ready? || lost?) && !(jvms.presence || test_run&.jvms || []).all?(&:pending?)
  end

  def stop_monitor
    script! "stop_monitor"
  end

  private
    def refusals(listing)
      more = listing.refused_count - listing.refused.size
      failures = listing.refused.to_h do |name|
        [ Machine::Listing::File.new(path: name),
          Failure.new("#{name.inspect} is not the name of a file of a run, or is in the way of one", machine: self) ]
      end
      return failures unless more.positive?

      failures.merge Machine::Listing::File.new(path: "#{more} more") => Failure.new("#{more} more names are none",
        machine: self)
    end

    # It reconnects as long as each connection brings some data.
    def fetch_rest(file, target)
      had = target.size? || 0
      left = file.compressed_bytes - had
      if left.positive?
        target.open("ab") do |io|
          shell.download "#{directory}/#{file.path}.gz", Machine::Shell::Bounded.new(io, left), offset: had
        end
      end
    rescue Machine::Unreachable
      target.size > had ? retry : raise
    end

    # The reader inflates the file, so it must not exceed the announced size.
    def honest(file, target)
      inflation = Machine::Inflation.new(target)
      return target if inflation.within?(file.bytes) && inflation.as_told?

      target.delete
      raise Machine::CommandFailed.new("#{file.path} of #{name} does not inflate to the #{file.bytes} bytes that it " \
        "is said to have", machine: self)
    end

    def intact?(file, target)
      target.size == file.compressed_bytes &&
        target.size > Gzip::HEADER + Gzip::TRAILER &&
        target.binread(GZIP.size) == GZIP && Digest::SHA256.file(target).hexdigest == file.digest
    end
end
