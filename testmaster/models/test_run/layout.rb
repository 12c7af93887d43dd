# Which JVM is where: positions are counted over all groups of a role, in the order of the groups.
module TestRun::Layout
  extend ActiveSupport::Concern

  def brokers
    jvms.select(&:broker?)
  end

  def clients
    jvms.select(&:client?)
  end

  # The machine of each role that the definition asks for, with the groups they serve; one for all where the provider is one machine.
  def lay_out
    transaction do
      provider.one_machine? ? lay_out_on_one_machine : lay_out_by_group
    end
    reset_layout
  end

  private
    def lay_out_on_one_machine
      machine = machines.create!(name: "local", role: "all", provider: provider)
      groups.each { |group| (group.machine_count * group.jvm_count).times { |n| add_jvm machine, group } }
    end

    def lay_out_by_group
      machines.create! name: "database", role: "database", provider: provider if database == "machine"

      groups.each do |group|
        group.machine_count.times do |n|
          machine = machines.create!(name: "#{group.key.tr(".", "_")}_#{n}", role: group.role, provider: provider, instance_type: group.instance_type)
          group.jvm_count.times { add_jvm machine, group }
        end
      end
    end

    def add_jvm(machine, group)
      machine.jvms.create! group: group, role: group.role, position: Jvm.where(machine_id: machine_ids_now, role: group.role).count
    end

    def machine_ids_now
      Machine.where(test_run_id: id).ids
    end

    def reset_layout
      machines.reset
      jvms.reset
    end
end
