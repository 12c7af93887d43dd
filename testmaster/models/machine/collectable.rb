# The files of a machine: compressed where they are, then fetched, then compared.
module Machine::Collectable
  LogFile = Struct.new(:path, :bytes, :compressed_bytes, :digest, keyword_init: true)

  # Compresses what is not compressed yet and lists all of it. A name ends where the line ends.
  COMPRESS = <<~'SH'
    cd %{directory} || exit 1
    find . -type f \( -path './*_*/logs/*' -o -path './*_*/config.properties' -o -path './*_*/command.txt.result' -o -path './monitor/machine.csv' \) \
      ! -name .keep ! -name '*.gz' ! -name '*.part' -print0 |
      xargs -0 -r -n 1 -P "$(getconf _NPROCESSORS_ONLN)" sh -c '
        [ -e "$1.gz" ] || { gzip -3 -n -c "$1" >"$1.gz.part" && mv "$1.gz.part" "$1.gz"; } || exit 255
        echo "$(wc -c <"$1") $(wc -c <"$1.gz") $(sha256sum <"$1.gz" | cut -c1-64) ${1#./}"' _
  SH

  def compress_logs
    shell.execute!(format(COMPRESS, directory: directory.shellescape), timeout: 3600).output.lines(chomp: true).map do |line|
      bytes, compressed_bytes, digest, path = line.split(" ", 4)
      LogFile.new(path: path, bytes: bytes.to_i, compressed_bytes: compressed_bytes.to_i, digest: digest)
    end.sort_by(&:path)
  end

  # Fetches a compressed file into a folder, from where an earlier attempt stopped, and compares it. Returns where it is.
  def fetch(file, folder)
    target = Pathname(folder).join(name, "#{file.path}.gz")
    target.dirname.mkpath
    target.open("ab") { |io| shell.download "#{directory}/#{file.path}.gz", io, offset: io.size } if target.size?.to_i < file.compressed_bytes

    unless Digest::SHA256.file(target).hexdigest == file.digest
      target.delete
      raise Machine::CommandFailed.new("#{file.path} of #{name} came damaged", machine: self)
    end
    target
  end

  # Whether there may be something of the run on it.
  def in_hand?
    directory? && (ready? || lost?) && !jvms.all?(&:pending?)
  end

  def stop_monitor
    shell.execute! "cd #{directory.shellescape} 2>/dev/null && [ -d monitor ] && touch monitor/stop; true"
  end
end
