# The live figures of a run in one second, added up over its JVMs.
class Sample < ApplicationRecord
  include TestRun::Live::Part

  belongs_to :test_run

  scope :chronologically, -> { order :at }
end
