# Which JVM is where: positions are counted over all groups of a role, in the order of the groups.
module TestRun::Layout
  # Those of the machines at hand, so that each machine keeps its one shell.
  def all_jvms
    machines.flat_map { |machine| machine.jvms.to_a }.sort_by { |jvm| [ jvm.role, jvm.position ] }
  end

  def brokers
    all_jvms.select(&:broker?)
  end

  def clients
    all_jvms.select(&:client?)
  end

  # The machines that the definition asks for, with their JVMs; one for all where the provider is one machine.
  def lay_out
    transaction do
      provider.one_machine? ? lay_out_on_one_machine : lay_out_by_group
    end
    machines.reset
    jvms.reset
  end

  # Properties that tell every JVM where all of them are
  def mapping
    @mapping ||= system.mapping_of(self)
  end

  def reload(...)
    @mapping = nil
    super
  end

  private
    def lay_out_on_one_machine
      machine = machines.create!(name: "local", role: "all", provider: provider)
      groups_with_jvms.each { |group| add_jvms machine, group, group.machine_count * group.jvm_count }
    end

    def lay_out_by_group
      machines.create! name: "database", role: "database", provider: provider if database == "machine"

      groups_with_jvms.each do |group|
        group.machine_count.times do |n|
          machine = machines.create!(name: "#{group.key.tr(".", "_")}_#{n}", role: group.role, provider: provider,
            instance_type: group.instance_type)
          add_jvms machine, group, group.jvm_count
        end
      end
    end

    # What is at an address has none.
    def groups_with_jvms
      groups.reject { |group| group.try(:address?) }
    end

    def add_jvms(machine, group, count)
      first = Jvm.where(machine: machines, role: group.role).count
      count.times { |n| machine.jvms.create! group: group, role: group.role, position: first + n }
    end
end
