class TestRun::ResumeJob < ApplicationJob
  def perform
    TestRun.resume_abandoned
  end
end
