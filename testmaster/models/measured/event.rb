class Event < ApplicationRecord
  include TestRun::Live::Part

  belongs_to :test_run
  belongs_to :machine, optional: true
  belongs_to :jvm, optional: true

  validates :name, :message, presence: true

  scope :chronologically, -> { order :created_at, :id }

  def readonly?
    persisted?
  end
end
