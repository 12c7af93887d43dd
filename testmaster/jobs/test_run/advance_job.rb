class TestRun::AdvanceJob < ApplicationJob
  queue_as :runs

  retry_on(*Failure::OUR_OWN_TROUBLE, wait: 2.seconds, attempts: 100)

  def perform(test_run)
    test_run.advance
  end
end
