# The live figures of a run in one second, summed over its JVMs.
class Sample < ApplicationRecord
  include TestRun::Live::Part

  belongs_to :test_run

  after_create { TestRun::Step.add self }

  FRESH = 5 # seconds

  scope :chronologically, -> { order :at }

  def fresh?
    at > FRESH.seconds.ago
  end
end
