# What a run costs: estimated before its launch, counted while it lives, and kept below what its provider allows.
module TestRun::Priced
  AROUND = 10 * 60 # seconds that machines live beyond the run itself: to boot, install, deploy and be collected
  TO_COLLECT = 3 * 60

  # [ [ role, instance type ], … ] of the machines that the definition asks for
  def planned_machines
    planned = groups.flat_map { |group| [ [ group.role, group.instance_type.presence || provider.default_type(group.role) ] ] * group.machine_count }
    planned << [ "database", provider.default_type("database") ] if database == "machine"
    planned
  end

  # Whether the definition says enough to tell what it takes.
  def estimable?
    provider && [ duration, timeout ].all? && groups.any? && groups.all? { |group| group.machine_count.to_i.in?(Group::MACHINES) }
  end

  # USD
  def estimated_cost
    planned_machines.sum(0.to_d) { |_, type| provider.hourly_price(type) || 0 } * (duration + AROUND) / 3600
  end

  # USD so far
  def cost
    machines.sum(0.to_d, &:cost)
  end

  # Stops while there is money left for collecting what was measured.
  # By the provider as it is now: somebody may have lowered its limits since the run began.
  def heed_spending_limit
    now = self.class.uncached { Provider.find(provider_id) }
    limit = now.spending_limit or return
    collecting = machines.held.sum { |machine| machine.hourly_price || 0 } * TO_COLLECT / 3600

    if cost + collecting > limit
      raise Provider::Error.new(format("Stopped at %.2f USD, so that it stays below the %.2f USD that %s allows for a run", cost, limit, provider.name),
        advice: "Shorten the run, use fewer or smaller machines, or raise the limit of the provider.")
    end
    heed_limit_of_day now, collecting
  end

  private
    def refuse_beyond_limits
      provider.objections_to(self).each { |objection| errors.add :base, objection }
    end

    def heed_limit_of_day(provider, collecting)
      if provider.spent_today + collecting > provider.daily_limit
        raise Provider::Error.new(format("Stopped, as runs have cost %.2f USD today, and %s allows %.2f USD for a day", provider.spent_today, provider.name, provider.daily_limit),
          advice: "Wait until tomorrow (UTC), or raise the limit of the provider.")
      end
    end
end
