class TestRun::AdvanceJob < ApplicationJob
  queue_as :runs

  def perform(test_run)
    test_run.advance
  end
end
