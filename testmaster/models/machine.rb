class Machine < ApplicationRecord
  ROLES = %w[ broker client database all ]

  belongs_to :test_run, optional: true # gone once the run is deleted; the provider may still know the machine
  belongs_to :provider
  has_many :jvms, -> { order :role, :position }, dependent: :destroy
  has_many :events, dependent: :nullify

  enum :state, %w[ pending provisioning ready released lost ].index_by(&:itself)

  validates :name, presence: true
  validates :role, inclusion: { in: ROLES }

  scope :held, -> { where.not(state: %w[ pending released ]) }
end
