# What a machine costs, written down as it is taken, priced and given back. It stays when the machine and its run are
# deleted: the limit of a day counts what was spent, not what is still listed.
class Charge < ApplicationRecord
  include Machine::Priced

  scope :of, ->(provider) { where provider_id: provider }
  scope :since, ->(time) { where "released_at IS NULL OR released_at >= ?", time }

  # Of a machine as it is now
  def self.keep(machine)
    find_or_initialize_by(machine_id: machine.id).update! machine.slice(:provider_id, :test_run_id, :hourly_price,
      :provisioned_at, :released_at)
  end

  # A machine that is deleted costs nothing from then on.
  def self.close(machine)
    where(machine_id: machine.id, released_at: nil).update_all released_at: Time.current
  end
end
