require "csv"
require "json"

module Independent
  # Counts the messages of each phase of a load by the records of requests, one by one, where the log analyzer reads
  # counters once a second: so it is as exact as these allow.
  class Phases
    COUNTED = 15 # messages, as counters do not grow quite evenly between two lines, a second apart
    SECOND = 1_000 # ms
    UNDER_WAY = 0.1 # s

    # run: a Run of the folder, whose logs have every request
    def initialize(run, folder)
      @run, @folder = run, folder
    end

    # Returns a sentence for each figure of the table of phases that the records contradict.
    def differences(table)
      rows = CSV.parse(table, headers: true).to_h { |row| [ row["phase"], row ] }
      different = phases.flat_map do |phase|
        row = rows.fetch(phase["name"])
        figures_of(phase).filter_map do |name, (low, high)|
          "#{phase["name"]}, #{name}: analyzer #{row[name]}, independent #{low} to #{high}" unless
            row[name].to_f.between?(low, high)
        end
      end
      different << "too few messages to count" if sends.size < 1_000
      different
    end

    private
      def figures_of(phase)
        from, to = phase.values_at("from_ms", "to_ms")
        seconds, highest = (to - from) / 1_000.0, highest_in(from, to)
        { "sent" => about(between(sends, from, to), seconds), "received" => about(between(receipts, from, to), seconds),
          "left" => about(level(to)),
          # Between two looks it may be higher.
          "backlog" => [ about([ level(from), level(to) ].max).first, about(highest).last ],
          "drain" => (drain(to) if phase == disturbing) }.compact
      end

      def about(count, seconds = 1)
        [ (count - COUNTED) / seconds, (count + COUNTED) / seconds ]
      end

      # Counters have a line a second.
      def drain(since)
        usual = highest_in(*phases.first.values_at("from_ms", "to_ms"))
        drained = (since..phases.last["to_ms"]).find do |ms|
          level(ms) <= [ usual, between(receipts, ms - SECOND, ms) * UNDER_WAY ].max
        end
        [ (drained - since - SECOND).clamp(0..) * 1_000, (drained - since + SECOND) * 1_000 ]
      end

      def disturbing = phases[0..-2].max_by { |phase| level(phase["to_ms"]) }
      def highest_in(from, to) = [ from, to, *sends.select { |ms| ms.between?(from, to) } ].map { |ms| level(ms) }.max
      def level(ms) = count(sends, ms) - count(receipts, ms)
      def between(times, from, to) = count(times, to) - count(times, from)
      def count(times, ms) = times.bsearch_index { |time| time > ms } || times.size
      def sends = @sends ||= times("CSndReq#OK#sendMessage")
      def receipts = @receipts ||= times("CE2E#")
      def times(action) = @run.records.select { |it| it.action.start_with?(action) }.map(&:stop).sort

      def phases
        @phases ||= JSON.parse(File.read(Dir.glob(File.join(@folder, "**", "summary_client_*.json")).min))["load"].to_a
      end
  end
end
