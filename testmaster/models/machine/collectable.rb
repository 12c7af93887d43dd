# The files of a machine: compressed where they are, then fetched, then compared.
module Machine::Collectable
  LogFile = Struct.new(:path, :bytes, :compressed_bytes, :digest, keyword_init: true)

  # Compresses all of it and lists it, sizes first, then digests. What is listed was compressed to its end.
  COMPRESS = <<~'SH'
    cd %{directory} || exit 1
    logs() {
      find . -type f \( -path './*_*/logs/*' -o -path './*_*/config.properties*' -o -path './*_*/command.txt.result*' -o -path './monitor/machine.csv*' \) \
        ! -name .keep -name "$1" ! -name "$2" -print0
    }
    if [ ! -e listing ]; then
      logs '*.gz' - | xargs -0 -r rm &&
      logs '*' '*.gz' | xargs -0 -r -n 12 -P "$(getconf _NPROCESSORS_ONLN)" sh -c 'gzip -3 -n -k "$@"; [ $? != 1 ]' _ && # 2: a file grew meanwhile
      { logs '*' - | xargs -0 -r stat -c '%%s %%n'; logs '*.gz' - | xargs -0 -r sha256sum; } >listing.new && mv listing.new listing || exit 1
    fi
    cat listing
  SH

  def compress_logs
    listing = shell.execute!(format(COMPRESS, directory: directory.shellescape), timeout: 3600).output.lines(chomp: true).map { |line| line.split(/ +/, 2) }
    digests, sizes = listing.partition { |first, _| first.size == 64 }.map { |pairs| pairs.to_h { |first, path| [ path.delete_prefix("./"), first ] } }
    digests.map { |path, digest| LogFile.new(path: path.delete_suffix(".gz"), bytes: sizes[path.delete_suffix(".gz")].to_i, compressed_bytes: sizes[path].to_i, digest: digest) }.sort_by(&:path)
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
    shell.execute! "cd #{directory.shellescape}/monitor 2>/dev/null || exit 0; touch stop; for _ in $(seq 50); do [ ! -e exit_code ] || break; sleep 0.1; done"
  end
end
