# Waits for a condition, and fails if it is not met in time.
module WaitingHelper
  def await(within: 60)
    deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + within
    until result = ApplicationRecord.uncached { yield }
      flunk "not within #{within} s" if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
      sleep 0.02
    end
    result
  end
end

ActiveSupport::TestCase.include WaitingHelper
