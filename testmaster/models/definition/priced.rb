# What machines, and what money, a definition takes at its provider.
module Definition::Priced
  AROUND = 10 * 60 # seconds that machines live beyond the run itself: to boot, install, deploy and be collected

  # [ [ role, instance type ], … ]
  def planned_machines
    planned = groups_with_jvms.flat_map do |group|
      [ [ group.role, group.instance_type.presence || provider.default_type(group.role) ] ] * group.machine_count
    end
    planned << [ "database", provider.default_type("database") ] if database == "machine"
    planned
  end

  # What is at an address has none.
  def groups_with_jvms
    groups.reject { |group| group.try(:address?) }
  end

  # Whether it says enough to tell what it takes
  def estimable?
    provider && [ duration, timeout ].all? && groups.any? && groups.all? do |group|
      group.machine_count.to_i.in?(Definition::Words::MACHINES)
    end
  end

  # USD
  def estimated_cost
    planned_machines.sum(0.to_d) { |_, type| provider.hourly_price(type) || 0 } * (duration + AROUND) / 3600
  end
end
