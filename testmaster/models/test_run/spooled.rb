# Keeps the files of a run on this machine between their collection and the zip.
module TestRun::Spooled
  def spool
    Rails.configuration.x.run_root.join("run_#{id}", "spool")
  end

  # A run with a zip does not need its spool.
  def note_spool_deleted(days)
    return if archive.attached?

    record_event :spool_deleted, "What was collected, and is in no zip, was deleted after #{days} days (Settings, Disk)"
    update_columns advice: "What could be collected was deleted after #{days} days." if advice&.include?(spool.to_s)
  end
end
