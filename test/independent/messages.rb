require "csv"
require "json"

module Independent
  # Counts the messages of all clients of a run by their summaries, or by their gauges if a client left no summary, and
  # computes their times from end to end, as docs/reference/logs.md and docs/reference/scenarios.md describe them. One
  # that was killed may have received what it did not count, so that there is no backlog.
  class Messages
    # run: a Run of the folder
    def initialize(run, folder)
      @run, @folder = run, folder
    end

    # Returns sent and received messages a second, and the share of takes that found none [%], over the measurement
    # interval, or its whole seconds. What nobody counted is left out.
    def figures
      counted = Dir.glob(File.join(@folder, "**", "summary_client_*.json")).map { |path| JSON.parse(File.read(path)) }
      return by_gauges.except(*("backlog" if counted.any?)) unless counted.size == clients.size

      receipts, acknowledgements = %w[ e2e ack ].map { |key| counted.map { |it| it.fetch(key, {}) } }
      sent, received, leased, acknowledged = total(receipts, "sent"), total(receipts, "count"),
        total(acknowledgements, "leased"), total(acknowledgements, "count")
      { **by_summaries(counted.map { |it| it["messages"] }), **times("CE2E#", "e2e", sent - received),
        **times("CAck#", "ack", leased > 0 ? sent - received + leased - acknowledged : 0), **topics(counted),
        **under_way(counted) }
    end

    private
      # Requests that were sent and not answered yet, a mean.
      def under_way(counted)
        { "under_way" => (counted.sum { |it| it["under_way"] } if counted.all? { |it| it["under_way"] }) }.compact
      end

      def by_summaries(counted)
        sent, received, takes, empty = %w[ sent_rate received_rate takes empty_takes ].map do |name|
          counted.sum { |it| it[name].to_r }
        end
        { "sent" => sent, "received" => received, "empty_takes" => (empty / takes * 100 if takes > 0),
          "backlog" => backlog }.compact
      end

      # Of a run whose clients publish and subscribe, over the whole load: the copies of a message that were received,
      # the share of the answered ones that were neither received nor left [%], the rate [1/s] and times of subscribing,
      # and the times to the first message [us].
      def topics(counted)
        publishers, subscribers = %w[ Publisher Subscriber ].map do |kind|
          counted.select { |it| it["scenario"] == kind }
        end
        return {} if subscribers.empty?

        sent, published, received = total(publishers, "sent"), total(publishers, "published"),
          total(subscribers, "received")
        left = subscribers.map { |it| it.dig("subscribed", "left") }
        missing = left.all? ? sent - received - left.sum : nil
        told = missing == 0 && total(publishers, "unanswered_sends") == 0 ||
          missing&.positive? && total(subscribers, "unanswered_dequeues") == 0
        { "copies" => (received.quo(published) if published > 0),
          "lost" => (missing.quo(sent) * 100 if told && sent > 0),
          "subscribe_rate" => subscribe_rate(subscribers),
          **ranked(subscribers, "subscribed", "subscribe_p50" => 50, "subscribe_p99" => 99),
          **ranked(subscribers, "first_message", "first_p50" => 50, "first_p99" => 99, "first_max" => 100) }.compact
      end

      # JVMs subscribe together: all of them take as long as the slowest.
      def subscribe_rate(subscribers)
        made = subscribers.select { |it| it.dig("subscribed", "rate") }.map do |it|
          count = it.dig("subscribed", "times").sum(&:last)
          [ count, count / it.dig("subscribed", "rate") ]
        end
        made.sum(&:first) / made.map(&:last).max if made.any?
      end

      def ranked(summaries, key, percents)
        times = summaries.flat_map { |it| it.dig(key, "times").to_a }.flat_map { |time, count| [ time ] * count }.sort
        times.empty? ? {} : percents.transform_values { |percent| times[Rational(times.size * percent, 100).ceil - 1] }
      end

      def total(parts, name) = parts.sum { |it| it.fetch(name, 0) }

      # A message that never came so far is longer than all others; of a percentile among these only the longest time
      # that was measured is known [us]. Times of machines whose clocks differ are not told here.
      def times(action, figure, lost)
        from, to = @run.steady
        records = @run.records.select { |it| it.action.start_with?(action) && it.start >= from && it.start < to }
        return {} if records.empty?

        weighed = records.map { |it| [ it.duration, it.log.weight ] }.sort
        { "#{figure}_p50" => 50, "#{figure}_p99" => 99 }.transform_values do |percent|
          rank = (Rational(percent, 100) * (weighed.sum(&:last) + [ lost, 0 ].max)).ceil
          weighed.find { |_, weight| (rank -= weight) <= 0 }&.first || weighed.last.first
        end
      end

      def by_gauges
        sent, received, takes, empty = %w[ sent received takes empty_takes ].map { |name| growth(name) }
        { "sent" => mean(sent), "received" => mean(received), "empty_takes" => share(empty, takes),
          "backlog" => backlog }.compact
      end

      # Returns the highest number of messages that were sent and not yet received, second by second; nil without sends.
      def backlog
        from, to = @run.steady
        sent, received = %w[ sent received ].map { |name| ->(ms) { clients.sum { |rows|
          at(rows.map { |row| [ row[:ms], row[name] ] }, ms) } } }
        (from..to).step(1000).map { |ms| [ sent[ms] - received[ms], 0 ].max }.max if clients.any? && sent[to] > 0
      end

      def mean(growth) = growth.any? ? growth.sum.quo(growth.size) : nil
      def share(parts, wholes) = wholes.sum > 0 ? parts.sum.quo(wholes.sum) * 100 : nil

      # Returns the growth of a counter in each second, summed over the clients. A client that died counts nothing more;
      # one that begins later has counted nothing before if it begins with 0.
      def growth(name)
        lines = clients.map { |rows| rows.map { |row| [ row[:ms], row[name] ] } }
        from, to = @run.steady
        seconds = (0...(to - from).div(1000)).map { |n| from + n * 1000 }.select do |ms|
          lines.all? { |first, *| first[1] == 0 || first[0] <= ms } && lines.any? { |all| all.last[0] >= ms + 1000 }
        end
        seconds.map { |ms| lines.sum { |all| at(all, ms + 1000) - at(all, ms) } }
      end

      def clients
        @clients ||= Dir.glob(File.join(@folder, "**", "gauges_client_*.csv")).map { |path| rows_of path }
      end

      def rows_of(path)
        log = @run.logs.find { |it| it.jvm == File.basename(path)[/client_\d+/] }
        begins = log.header[/Started\[(\d+)\]/n, 1].to_i
        CSV.read(path, headers: true).map do |row|
          row.to_h.except("ms").transform_values(&:to_i).merge(ms: row["ms"].to_i + begins)
        end
      end

      # A counter grows evenly between two lines.
      def at(lines, ms)
        after = lines.index { |at, _| at >= ms } or return lines.last[1]
        return lines[after][1] if after == 0

        (from, low), (to, high) = lines[after - 1, 2]
        low + (high - low) * (ms - from).quo(to - from)
      end
  end
end
