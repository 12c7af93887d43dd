class TestRun::AdvanceJob < ApplicationJob
  queue_as :runs

  retry_on Lockable::Lost, wait: 2.seconds, attempts: 10

  def perform(test_run)
    test_run.advance
  end
end
