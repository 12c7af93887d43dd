# Work on several things at once: their shells wait, so threads are cheap. The block must leave our own database alone.
module SideBySide
  AT_ONCE = 16

  # { thing => value of the block, … }. Where one or more fail, the first failure is raised once all are done.
  def side_by_side(things, at_once: AT_ONCE, &block)
    return {} if things.empty?

    values = Concurrent::Map.new
    failures = Queue.new
    waiting = Queue.new.tap { |queue| things.each { |thing| queue << thing } }.close
    threads = Array.new([ at_once, things.size ].min) do
      Thread.new do
        Thread.current.report_on_exception = false # whoever waits gets it
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
    # Called each second by the thread that waits.
    def meanwhile
    end
end
