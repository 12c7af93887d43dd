# Where machines come from. A kind of provider answers:
#
#   provision(machines) { |message, machine| }   makes them ready; asked again it does what is missing
#   release(machine)                             gives one back; asked again nothing happens
#   shell(machine)                               how commands are run there
#   machines                                     what lives, by the provider's own account
#   leftovers                                    those among them that belong to no run at work
#   room_for?(test_run)                          whether it may begin now
class Provider < ApplicationRecord
  has_many :test_runs, dependent: :restrict_with_error
  has_many :machines, dependent: :restrict_with_error

  serialize :settings, type: Hash, coder: JSON
  encrypts :settings

  validates :name, presence: true, uniqueness: true, length: { maximum: 60 }

  # "local", "ssh", "ec2"
  def kind
    self.class.name.demodulize.downcase
  end

  # Whether all JVMs of a run share the one machine there is.
  def one_machine?
    false
  end

  def room_for?(test_run)
    true
  end

  def leftovers
    []
  end
end
