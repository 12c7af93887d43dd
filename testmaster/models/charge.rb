# The cost of a machine, recorded when it is allocated, priced and released. It stays when the machine and its run are
# deleted, so the daily limit counts all that was spent.
class Charge < ApplicationRecord
  include Machine::Priced

  scope :of, ->(provider) { where provider_id: provider }
  scope :since, ->(time) { where "released_at IS NULL OR released_at >= ?", time }

  # Records the present state of a machine.
  def self.keep(machine)
    find_or_initialize_by(machine_id: machine.id).update! machine.slice(:provider_id, :test_run_id, :hourly_price,
      :provisioned_at, :released_at)
  end

  # A deleted machine costs nothing from then on.
  def self.close(machine)
    where(machine_id: machine.id, released_at: nil).update_all released_at: Time.current
  end
end
