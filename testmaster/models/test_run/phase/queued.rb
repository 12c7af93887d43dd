# Waits until it is the run's turn.
# Needs nothing. Asked again, it looks again: by the run that has ended before it, and by whoever resumes runs.
class TestRun::Phase::Queued < TestRun::Phase
  def perform
    provider.with_lock { enter_next if test_run.its_turn? }
  end
end
