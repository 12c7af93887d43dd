class TestRun::ExamineJob < ApplicationJob
  def perform(test_run)
    test_run.examine
  end
end
