# Computes the machines and the money that a definition needs at its provider.
module Definition::Priced
  AROUND = 10 * 60 # seconds of a machine beyond the run itself: to boot, install, deploy and be collected

  # Returns [ [ role, instance type ], … ].
  def planned_machines
    planned = groups_with_jvms.flat_map do |group|
      [ [ group.role, group.instance_type.presence || provider.default_type(group.role) ] ] * group.machine_count
    end
    planned << [ "database", provider.default_type("database") ] if database == "machine"
    planned
  end

  # A server at an address has no JVMs.
  def groups_with_jvms
    groups.reject { |group| group.try(:address?) }
  end

  # Returns whether the definition is complete enough for an estimate.
  def estimable?
    provider && [ duration, timeout ].all? && groups.any? && groups.all? do |group|
      group.machine_count.to_i.in?(Definition::Words::MACHINES)
    end
  end

  # Returns the instance types whose prices nobody knows.
  def types_without_price
    provider.rented? ? planned_machines.map(&:last).uniq.reject { |type| provider.hourly_price(type) } : []
  end

  # Returns USD; nil if a price is unknown.
  def estimated_cost
    return 0.to_d unless provider.rented?

    prices = planned_machines.map { |_, type| provider.hourly_price(type) }
    prices.sum(0.to_d) * (duration + AROUND) / 3600 if prices.all?
  end
end
