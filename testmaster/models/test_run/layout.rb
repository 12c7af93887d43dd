# Creates the machines of a run with their JVMs; one machine for all if the provider has only one.
class TestRun::Layout
  def initialize(test_run)
    @test_run = test_run
  end

  def perform
    @test_run.transaction { provider.one_machine? ? on_one_machine : by_group }
  end

  private
    delegate :definition, :machines, :provider, to: :@test_run

    def on_one_machine
      machine = machines.create!(name: "local", role: "all", provider: provider)
      definition.groups_with_jvms.each { |group| add_jvms machine, group, group.jvms_in_all }
    end

    def by_group
      machines.create! name: "database", role: "database", provider: provider if definition.database == "machine"

      definition.groups_with_jvms.each do |group|
        group.machine_count.times do |n|
          machine = machines.create!(name: "#{group.key.tr(".", "_")}_#{n}", role: group.role, provider: provider,
            instance_type: group.instance_type)
          add_jvms machine, group, group.jvm_count
        end
      end
    end

    def add_jvms(machine, group, count)
      first = Jvm.where(machine: machines, role: group.role).count
      count.times { |n| machine.jvms.create! role: group.role, group_position: group.position,
        position: first + n }
    end
end
