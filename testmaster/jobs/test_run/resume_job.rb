class TestRun::ResumeJob < ApplicationJob
  def perform(scope = "silent")
    TestRun.resume_abandoned TestRun.public_send(scope)
  end
end
