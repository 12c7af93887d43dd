# Uses this machine for one run at a time: two would disturb each other's figures.
class Provider::Local < Provider
  include Foldered

  self.one_machine = true
  self.hint = "This machine"

  def self.default
    find_or_create_by! name: "local"
  rescue ActiveRecord::RecordNotUnique
    retry
  end

  # A run of an experiment is prepared while the one before it is collected.
  def room_for?(test_run)
    others = test_runs.under_way.where.not(id: test_run.id)
    others = others.where.not(experiment_id: test_run.experiment_id, state: "collecting") if test_run.experiment_id
    others.none?
  end

  def provision(machines)
    machines.reject(&:ready?).each do |machine|
      machine.update! state: "ready", host: "127.0.0.1", reference: "local", provisioned_at: Time.current,
        directory: folder_of(machine)
    end
  end

  def shell(machine)
    Machine::Shell::Local.new
  end

  private
    def folder_of(machine)
      machine.directory || Rails.configuration.x.run_root.join("run_#{machine.test_run_id}", machine.name).to_s
    end
end
