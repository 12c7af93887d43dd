# The files of a machine: compressed where they are, then fetched side by side, then compared.
module Machine::Collectable
  FETCHED_AT_ONCE = 4
  GZIP = "\x1f\x8b\x08\x00".b # as gzip -n begins, with a header of ten bytes

  # All of it is compressed and listed. Where that still goes on for somebody who was killed meanwhile, it is waited
  # for. kept_files: what is collected of a JVM's folder beside its logs
  def compress_logs(kept_files)
    said = String.new
    script! "compress", *kept_files, output: Machine::Shell::Bounded.new(said, Machine::Limits::LISTING), timeout: 3600
    Machine::Listing.new said, kept_files
  end

  # Compresses and fetches all: { file => path of its compressed copy in the folder, or the Failure that kept it }. A
  # machine that got out of reach is not tried again for every file.
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

  # Fetches a compressed file into a folder, from where an earlier attempt stopped, and compares it. Returns where it
  # is.
  def fetch(file, folder)
    target = Pathname(folder).join(name, "#{file.path}.gz")
    target.dirname.mkpath
    resumed = target.exist?
    fetch_rest file, target
    return honest(file, target) if intact?(file, target)

    # What an earlier attempt left may be damaged, as after a power cut; then all of it is fetched anew.
    target.delete
    resumed ? fetch(file, folder) :
      raise(Machine::CommandFailed.new("#{file.path} of #{name} came damaged", machine: self))
  end

  # Whether there may be something of the run on it.
  def in_hand?
    directory? && (ready? || lost?) && !jvms.all?(&:pending?)
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

    # A connection that breaks off is made anew as long as it brings something.
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

    # Whoever reads it inflates it, so it must not be more than what was bargained for.
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
