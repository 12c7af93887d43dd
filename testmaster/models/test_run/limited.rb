# Limits the cost and the disk of a run: checks them before the launch and while it is active.
module TestRun::Limited
  # Returns the USD spent so far.
  def cost
    machines.sum(0.to_d, &:cost)
  end

  # Returns the launch blockers, with the numbers. disk is the objection to the disk, if it is known already.
  def objections(disk = objection_to_disk)
    disabled = "#{provider.name} is disabled: choose another provider, or let an administrator enable it" if
      provider.disabled?
    [ *disabled, *provider.objections_to(self), *disk ]
  end

  # Checks the present limits of the provider, which may have been lowered since the run began.
  def check_limits
    reason = self.class.uncached { Provider.find(provider_id) }.reason_to_stop(self)
    raise reason if reason
  end

  # Returns why the disk is too small; nil if it is large enough or unknown.
  def objection_to_disk(needed = definition.disk_needed, of: "The run", need: "needs")
    free = free_for_runs
    if free && needed > free - Health::ROOM
      "#{of} #{need} about #{size_in_words needed} of disk, and #{size_in_words [ free, 0 ].max} are free, of which " \
        "#{size_in_words Health::ROOM} must stay free: shorten the run, record every tenth request " \
        "(common.performancelogger.sample: 10), or make room (Settings, Disk)"
    end
  end

  # Returns free bytes less those that active runs will still write; nil if that takes too long.
  def free_for_runs
    free = Health::DISK.ask.answer
    free && free - self.class.at_work.where.not(id: id).where.not(disk_promised: nil).sum(&:disk_still_needed)
  end

  # Returns the rest of the bytes promised to the run: what it has written already reduces the free space. Zips come
  # after the load.
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
