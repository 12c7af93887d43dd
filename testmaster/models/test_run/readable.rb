# The zip of a run as a file on this machine, for the log analyzer.
module TestRun::Readable
  # Where storage is a disk the zip is read as it lies there.
  def open_archive(&block)
    unless archive.attached?
      raise Failure.new("The run has no logs yet.", advice: "They can be analysed once they have been collected.")
    end

    service = archive.blob.service
    service.respond_to?(:path_for) ? link_to(service.path_for(archive.blob.key), &block) : archive.open do |file|
      yield file.path
    end
  end

  # Here lie the files of the run between its machines and its zip.
  def spool
    Rails.configuration.x.run_root.join("run_#{id}", "spool")
  end

  # Where there is a zip, nobody misses it.
  def note_spool_deleted(days)
    return if archive.attached?

    record_event :spool_deleted, "What was collected, and is in no zip, was deleted after #{days} days (Settings, Disk)"
    update_columns advice: "What could be collected was deleted after #{days} days." if advice&.include?(spool.to_s)
  end

  private
    # The analyzer tells a zip by its name.
    def link_to(path)
      Dir.mktmpdir("testmaster-") do |folder|
        link = File.join(folder, archive.filename.to_s)
        File.symlink path, link
        yield link
      end
    end
end
