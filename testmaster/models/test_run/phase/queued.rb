# Waits until it is the run's turn. It has no requirements. The run that has ended before it performs it again, and so
# does the job that resumes runs.
class TestRun::Phase::Queued < TestRun::Phase
  def perform
    provider.with_lock { enter_next if test_run.its_turn? }
  end
end
