# What a run may take: counted while it lives, kept below what its provider and the disk of this machine allow, and
# refused before the launch where that is not enough.
module TestRun::Limited
  # USD so far
  def cost
    machines.sum(0.to_d, &:cost)
  end

  # Why it must not be launched, with the numbers. disk: that of the disk, where it is known already
  def objections(disk = objection_to_disk)
    [ *provider.objections_to(self), *disk ]
  end

  # By the provider as it is now: somebody may have lowered its limits since the run began.
  def heed_limits
    reason = self.class.uncached { Provider.find(provider_id) }.reason_to_stop(self)
    raise reason if reason
  end

  # Why there is not enough room: nil where there is, or where nobody can tell
  def objection_to_disk(needed = definition.disk_needed, of: "The run", need: "needs")
    free = free_for_runs
    if free && needed > free - Health::ROOM
      "#{of} #{need} about #{size_in_words needed} of disk, and #{size_in_words [ free, 0 ].max} are free, of which " \
        "#{size_in_words Health::ROOM} must stay: shorten the run, record every tenth request " \
        "(common.performancelogger.sample: 10), or make room (Settings, Disk)"
    end
  end

  # What is free, less what runs at work will still write; nil where it is not told in time
  def free_for_runs
    free = Health::DISK.ask.answer
    free && free - self.class.at_work.where.not(id: id).where.not(disk_promised: nil).sum(&:disk_still_needed)
  end

  # Of what was promised to it: what it has written by now is not free any more. Zips come after the load.
  def disk_still_needed
    zips = [ Definition::Weighed::COPIES * definition.zip_bytes, disk_promised ].min
    written = load_starts_at ? ((Time.current - load_starts_at) / duration).clamp(0, 1) : 0
    zips + ((disk_promised - zips) * (1 - written)).ceil
  end

  private
    def refuse_beyond_limits
      objections.each { |objection| errors.add :base, objection }
    end

    def size_in_words(bytes)
      ActiveSupport::NumberHelper.number_to_human_size(bytes)
    end
end
