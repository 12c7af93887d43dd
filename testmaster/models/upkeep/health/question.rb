# Asks a service that may never answer. However many callers there are, one thread at most waits for the service; a
# caller that comes when it is overdue does not wait.
class Health::Question
  PATIENCE = 2 # seconds

  def initialize(&block)
    @block, @turn = block, Mutex.new
  end

  def ask
    @turn.synchronize { @asking = begin_asking unless @asking&.alive? }
    self
  end

  # Returns nil after the time limit or an error.
  def answer
    asking = @turn.synchronize { @asking }
    left = PATIENCE - (now - asking[:begun_at])
    asking.value if asking.join([ left, 0 ].max)
  end

  private
    def begin_asking
      Thread.new do
        Rails.application.executor.wrap(&@block)
      rescue StandardError => error
        Rails.logger.warn "Asking how the Testmaster is: #{error.class.name}: #{error.message}"
        nil
      end.tap { |thread| thread[:begun_at] = now }
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
end
