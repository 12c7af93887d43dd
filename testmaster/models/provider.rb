# Where machines come from.
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
end
