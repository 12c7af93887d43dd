# Works on several things at once in threads, which mostly wait for shells. The block must not use the Testmaster's
# database.
module SideBySide
  AT_ONCE = 16

  # Returns { thing => value of the block, … }. If some fail, it raises the first failure once all are done.
  def side_by_side(things, at_once: AT_ONCE, &block)
    return {} if things.empty?

    values = Concurrent::Map.new
    failures = Queue.new
    waiting = Queue.new.tap { |queue| things.each { |thing| queue << thing } }.close
    threads = Array.new([ at_once, things.size ].min) do
      Thread.new do
        Thread.current.report_on_exception = false # the waiting thread gets the exception
        while thing = waiting.pop
          begin
            values[thing] = block.call(thing)
          rescue => failure
            failures << failure
          end
        end
      ensure
        ApplicationRecord.connection_handler.clear_active_connections!(:all)
      end
    end
    threads.each { |thread| meanwhile until thread.join(1) }
    raise failures.pop unless failures.empty?

    things.index_with { |thing| values[thing] }
  ensure
    threads&.each(&:kill)
  end

  private
    # The waiting thread calls this each second.
    def meanwhile
    end
end
