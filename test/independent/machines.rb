require "csv"
require "json"

module Independent
  # Computes the memory and the network in use on the fullest machine by the lines that machines wrote once a second.
  class Machines
    SECOND = 1_000 # ms

    # run: a Run of the folder
    def initialize(run, folder)
      @run, @folder = run, folder
    end

    # Returns means of the seconds that all machines measured [%]. What nobody measured is left out.
    def figures
      tested = rates.select { |name, _| lines.key?(name) }
      { "memory" => mean(lines.keys) { |name| memory(lines[name]) },
        "network" => mean(tested.keys) { |name| flow(lines[name], tested[name]) } }.compact
    end

    private
      def mean(machines)
        seconds = machines.map { |name| yield(name).group_by { |ms, _| (ms - @run.steady.first).div(SECOND) } }
        from, to = @run.steady
        highest = (0...[ 1, (to - from).div(SECOND) ].max).filter_map do |second|
          values = seconds.map { |its| its[second]&.then { |some| some.sum(&:last) / some.size } }
          values.max if values.all? && values.any?
        end
        highest.sum / highest.size * 100 if highest.any?
      end

      def memory(rows) = rows.map { |row| [ row["ms"], row["memory_used"] / row["memory_total"] ] }

      # Returns the share of a rate [bytes/s] that was sent or received, whichever is more, since the line before, for
      # the second of the line and all seconds without one since the line before.
      def flow(rows, rate)
        rows.each_cons(2).filter_map { |before, row|
          share = row.values_at("net_rx", "net_tx").max * SECOND / (row["ms"] - before["ms"]) / rate
          [ row["ms"], *without_line(before["ms"], row["ms"]) ].map { |ms| [ ms, share ] } if row["ms"] > before["ms"]
        }.flatten(1)
      end

      def without_line(from, to)
        origin = @run.steady.first
        ((from - origin).div(SECOND) + 1...(to - origin).div(SECOND)).map { |second| origin + second * SECOND }
      end

      def rates
        path = File.join(@folder, "environment.json")
        machines = File.exist?(path) ? JSON.parse(File.read(path))["machines"] : []
        machines.to_h { |it| [ it["name"], it.dig("calibration", "network") ] }.compact
      end

      def lines
        @lines ||= Dir.glob(File.join(@folder, "logs", "*", "machine.csv")).to_h do |path|
          rows = CSV.read(path, headers: true).map { |row| row.to_h.transform_values(&:to_f) }
          [ File.basename(File.dirname(path)), rows ]
        end
      end
  end
end
