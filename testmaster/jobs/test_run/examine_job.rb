class TestRun::ExamineJob < ApplicationJob
  queue_as :examinations

  def perform(test_run)
    test_run.examine
  end
end
