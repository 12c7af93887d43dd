require "time"

module Testmaster
  # Prints a test run for a terminal.
  class Report
    # The table has the columns of each part, with their widths.
    CONSOLE = {
      "queues" => { "name" => -40, "length" => 10, "age_ms" => 10, "leased" => 7, "dead_letters" => 12 },
      "messages" => { "id" => 12, "queue" => -30, "age_ms" => 10, "sender" => -20, "receiver" => -20, "prio" => 4,
        "bytes" => 8 },
      "clients" => { "name" => -40, "broker" => -22, "since" => 8, "length" => 10 },
      "brokers" => { "name" => -22, "version" => -18, "heartbeat" => 10, "seconds_up" => 10, "clients" => 8 }
    }

    class << self
      def list(test_runs)
        test_runs.map { |run| format("%6d  %-16s %-44s %s", run["id"], outcome(run), run["name"][0, 44], run["mix"]) }
      end

      # Returns "threshold broken", or the state of a run that has not ended.
      def outcome(run)
        run["verdict"] ? run["verdict"]["word"].downcase : run["cancelling"] ? "cancelling" : run["state"]
      end

      def machines(machines)
        machines.any? ? machines.map { |machine| line_of machine } : [ "no machine is allocated" ]
      end

      def normals(normals)
        lines = normals.map do |normal|
          figures = normal["figures"].compact.map { |name, figure| "#{name} #{normal_of(name, figure)}" }
          format "%-20s %-12s %3d calibrations  %s", normal["site"], normal["provider"], normal["calibrations"],
            figures.join("; ")
        end
        lines.any? ? lines : [ "no machine has been calibrated" ]
      end

      # The server has already made control characters in log records visible.
      def lines(found)
        found["records"].map do |record|
          [ record["time"], record["jvm"], record["level"], record["thread"], record["text"] ].compact.join(" ")
        end + [ *("not all of #{found["cut"].join(", ")} was looked through" if found["cut"].any?),
          *("more from --from #{found["next_from"]} on" if found["next_from"]) ]
      end

      # Prints rows page by page, with visible control characters in names.
      def console(part, found)
        columns = CONSOLE.fetch(part)
        table = [ columns.keys, *found[part].to_a.map { |row| row.values_at(*columns.keys) } ].map do |row|
          row.zip(columns.values).map { |value, width|
            (value.nil? ? "-" : value.to_s.gsub(/[[:cntrl:]]/) { |char| char.dump[1..-2] })
              .then { |text| width.negative? ? text.ljust(-width) : text.rjust(width) } }.join(" ").rstrip
        end
        [ *found["gaps"].map { |name, gap| "#{name}: #{gap}" }, *(table if found[part]),
          *("there are more: the page and --json have them" if found["after"]) ]
      end

      # Prints shares in per cent with their interval, and the methods that are called.
      def profile(profile, kind)
        return [ *profile["notes"], "there are no samples of that" ] unless profile["tables"]

        rows = profile["tables"][kind].first(20).map do |row|
          format "%6.1f %%  (%.1f to %.1f)  with what it calls %5.1f %%  %s",
            *row.values_at("share", "low", "high", "with_called", "name")
        end
        [ *profile["notes"], "#{profile["tables"]["samples"]} samples", *rows ]
      end

      def sweep(sweep)
        released, complaints = sweep.values_at("released", "complaints")
        [ *released.map { |machine| line_of machine },
          *("there were no orphaned machines" if released.empty? && complaints.empty?), *complaints ]
      end

      private
        # Converts us to ms, and bytes to MB.
        def normal_of(name, figure)
          size, unit = name == "network" ? [ 1e6, "MB/s" ] : [ 1000.0, "ms" ]
          median, low, high = figure.values_at("median", "low", "high").map { |it| (it / size).round(3) }
          "#{median} #{unit} (#{low} to #{high})"
        end

        def line_of(machine)
          format "%-20s %-20s %-12s %-12s run %s", machine["name"], machine["reference"], machine["state"],
            machine["provider"], machine["test_run_id"] || "unknown"
        end
    end

    def initialize(test_run)
      @run = test_run
    end

    # Returns one line for the watch command.
    def progress
      rate, p99 = @run["figures"].values_at("rate", "p99")
      exact = @run["figures"].values_at("exact", "so_far").compact.first
      tail = exact ? exact["p99"] || exact.dig("at_least", "p99") : p99 && p99["value"]
      [ self.class.outcome(@run), ("#{rate["value"].round} /s" if rate),
        ("p99 #{milliseconds tail}" if tail) ].compact.join("  ")
    end

    def lines
      [ "#{@run["id"]}  #{@run["name"]}", "#{self.class.outcome @run}, #{@run["mix"]}, #{@run["provider"]}", *reason,
        *failure, *phases,
        *figures, *phases_of_load, *change, *thresholds, *checks, *archive ]
    end

    private
      def reason
        @run["verdict"] && !@run["error"] ? [ "  #{@run["verdict"]["reason"]}" ] : []
      end

      def failure
        where = [ ("while #{@run["failed_phase"]}" if @run["failed_phase"]), @run["failed_on"] ].compact.join(", ")
        [ [ where.empty? ? nil : where, @run["error"] ].compact.join(": "),
          @run["advice"] ].reject { |text| text.to_s.empty? }.map { |text| "  #{text}" }
      end

      def phases
        @run["phases"].select { |phase| phase["started_at"] && phase["ended_at"] }
          .map do |phase|
            format("  %-14s %7.1f s", phase["name"], Time.parse(phase["ended_at"]) - Time.parse(phase["started_at"]))
          end
      end

      def figures
        rate = @run["figures"]["rate"] or return []

        [ *messages(@run["figures"]["exact"].to_h),
          "  throughput     #{with_doubt(rate) { |value| "%.1f" % value }} /s",
          *(@run["figures"]["exact"] ? exact_times(@run["figures"]["exact"]) : times), *errors ]
      end

      OF_PHASES = { "sent" => 9, "received" => 9, "throughput" => 11, "mean" => 9, "p99" => 10, "e2e_p99" => 10,
        "errors" => 8, "backlog" => 9, "left" => 9 } # widths of columns

      # Prints a line for each phase of the load by its plan.
      def phases_of_load
        rows = @run["figures"]["phases"].to_a
        return [] if rows.empty?

        width = [ 16, *rows.map { |row| row["phase"].size } ].max
        heads = OF_PHASES.map { |name, width| name.tr("_", " ").rjust(width) }.join
        lines = rows.map do |row|
          format("  %-*s %5.0f s %5.0f s", width, row["phase"], row["begin"], row["seconds"]) +
            OF_PHASES.map { |name, width| value_of_phase(name, row[name]).rjust(width) }.join
        end
        [ "  #{"phase".ljust(width)}   begin  length#{heads}", *lines,
          "  sent, received, throughput in /s; mean, p99, e2e p99 in ms; errors in %; backlog, left in messages" ]
      end

      def value_of_phase(name, value)
        case
        when value.nil? then "-"
        when %w[ mean p99 e2e_p99 ].include?(name) then format("%.2f", value / 1000.0)
        when name == "errors" then format("%.2f", value)
        else value.round.to_s
        end
      end

      def messages(exact)
        rate, share = ->(value) { "#{value.round(1)} /s" }, ->(value) { "#{value.round(3)} %" }
        { "sent" => rate, "received" => rate, "empty_takes" => share,
          "backlog" => ->(value) { "#{value.round} messages" }, "drain" => ->(value) { "#{(value / 1e6).round(1)} s" },
          "recovery" => ->(value) { "#{(value / 1e6).round(1)} s" },
          "copies" => ->(value) { "#{value.round(2)} of a message" }, "lost" => share, "subscribe_rate" => rate,
          "under_way" => ->(value) { "#{value.round(2)} requests" },
          **%w[ subscribe_p50 subscribe_p99 first_p50 first_p99 first_max e2e_p50 e2e_p99 ack_p50 ack_p99 ]
            .to_h { |name| [ name, method(:milliseconds) ] } }
          .filter_map do |name, in_words|
          words = words_of_message_figure(exact, name, &in_words)
          format("  %-14s %s", name.tr("_", " "), words) if words
        end
      end

      def words_of_message_figure(exact, name, &in_words)
        told = { "value" => exact[name], "low" => exact["#{name}_low"], "high" => exact["#{name}_high"] }.compact
        at_least, untold = %w[ at_least untold ].map { |kind| exact.dig(kind, name) }
        case
        when at_least      then "> #{in_words.call at_least}"
        when untold        then "not told, as #{untold}"
        when told["value"] then [ with_doubt(told, &in_words), clocks(exact, name) ].compact.join(", ")
        end
      end

      def clocks(exact, name)
        error = exact["#{name}_clock_error"]
        "clocks known to ±#{milliseconds error}" if error
      end

      def errors
        ok, errors = @run["figures"].values_at("ok", "errors")
        ok && errors ? [ "  errors         #{errors} of #{ok + errors}" ] : []
      end

      # The change is that against the baseline of its name or tag.
      def change
        change = @run["change"] or return []
        words = change["verdict"] || "not compared yet"
        words = format("%s %+.1f %% %s", change["figure"], change["percent"].to_f, words) if change["figure"]
        [ "  against run #{change["baseline"]}: #{words}" ]
      end

      # The times come from the logs.
      def exact_times(exact)
        mean = { "value" => exact["mean"], "low" => exact["mean_low"], "high" => exact["mean_high"] }.compact
        [ "  mean           #{with_doubt(mean) { |value| milliseconds value }}",
          percentiles(exact) ]
      end

      def percentiles(figures)
        names = [ *figures.keys, *figures["at_least"]&.keys ].grep(/\Ap\d+(\.\d+)?\z/).uniq
          .sort_by { |name| name[1..].to_f }
        times = names.map do |name|
          at_least = figures.dig("at_least", name)
          at_least ? "> #{milliseconds at_least}" : milliseconds(figures[name])
        end
        format "  %-14s %s", names.join(", "), times.join(", ")
      end

      # Until the logs are read, the times come from the samples.
      def times
        mean, p99, so_far = @run["figures"].values_at("mean", "p99", "so_far")
        [ ("  mean           #{with_doubt(mean) { |value| milliseconds value }}" if mean),
          (percentiles(so_far) if so_far),
          ("  p99 of seconds #{with_doubt(p99) { |value| milliseconds value }}" if p99 && !so_far) ].compact
      end

      def thresholds
        @run["thresholds"].map do |threshold|
          "  #{{ true => "met", false => "NOT met", nil => "not known" }.fetch(threshold["met"])}: " \
            "#{threshold["threshold"]}"
        end
      end

      # Returns the checks against the run.
      def checks
        @run["checks"].reject { |check| check["verdict"] == "good" }.flat_map do |check|
          [ "  #{check["verdict"]}: #{check["check"]}: #{check["reason"]}", *remedy(check) ]
        end
      end

      def remedy(check)
        [ "    limit: #{check["limit"]}", "    do: #{check["do"]}" ] if check["verdict"] == "rejected" && check["limit"]
      end

      def archive
        @run["archive"] ? [ "  logs: bin/testmaster logs #{@run["id"]}" ] : []
      end

      def with_doubt(figure)
        [ yield(figure["value"]),
          ("(#{yield figure["low"]} to #{yield figure["high"]})" if figure["low"]) ].compact.join(" ")
      end

      def milliseconds(microseconds)
        format "%.2f ms", microseconds / 1000.0
      end
  end
end
