# Where the files of a run lie on this machine, between its machines and its zip.
module TestRun::Spooled
  def spool
    Rails.configuration.x.run_root.join("run_#{id}", "spool")
  end

  # Where there is a zip, nobody misses it.
  def note_spool_deleted(days)
    return if archive.attached?

    record_event :spool_deleted, "What was collected, and is in no zip, was deleted after #{days} days (Settings, Disk)"
    update_columns advice: "What could be collected was deleted after #{days} days." if advice&.include?(spool.to_s)
  end
end
