# What a run costs: estimated before its launch, counted while it lives, and kept below what its provider allows.
module TestRun::Priced
  AROUND = 10 * 60 # seconds that machines live beyond the run itself: to boot, install, deploy and be collected

  # [ [ role, instance type ], … ] of the machines that the definition asks for
  def planned_machines
    planned = groups_with_jvms.flat_map do |group|
      [ [ group.role, group.instance_type.presence || provider.default_type(group.role) ] ] * group.machine_count
    end
    planned << [ "database", provider.default_type("database") ] if database == "machine"
    planned
  end

  # Whether the definition says enough to tell what it takes.
  def estimable?
    provider && [ duration, timeout ].all? && groups.any? && groups.all? do |group|
      group.machine_count.to_i.in?(Group::MACHINES)
    end
  end

  # USD
  def estimated_cost
    planned_machines.sum(0.to_d) { |_, type| provider.hourly_price(type) || 0 } * (duration + AROUND) / 3600
  end

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

  private
    def refuse_beyond_limits
      objections.each { |objection| errors.add :base, objection }
    end
end
