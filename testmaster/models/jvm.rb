class Jvm < ApplicationRecord
  ROLES = %w[ broker client ]

  include Configurable, Observable

  belongs_to :machine
  has_many :events, dependent: :nullify
  has_many :replies, dependent: :delete_all

  delegate :test_run, to: :machine

  enum :state, %w[ pending deployed starting ready running stopping exited failed ].index_by(&:itself)
  enum :role, ROLES.index_by(&:itself)

  validates :position, :group_position, numericality: { only_integer: true, greater_than_or_equal_to: 0 }

  # Returns a name such as "broker_0", which is also its folder on the machine and in the zip.
  def name
    "#{role}_#{position}"
  end

  # Returns its group in the definition of its run.
  def group
    test_run.definition.groups_of(role)[group_position]
  end

  def scenario
    group.scenario
  end

  def over?
    exited? || failed?
  end
end
