module Testmaster
  # Prints an experiment for a terminal.
  class Experiment
    COLUMNS = [ "throughput [1/s]", "mean [ms]", "p99 [ms]", "errors [%]" ]
    ENDED = %w[ finished failed cancelled ]
    BROKEN = "threshold_broken"

    class << self
      def list(experiments)
        experiments.map do |it|
          format "%6d  %-10s %4d of %-4d %s (%s)", *it.values_at("id", "state", "runs_made", "runs_planned", "name",
            "summary")
        end
      end

      # Returns the planned runs before a launch.
      def plan(plan)
        [ format("%d %s, about %d min, about %.2f USD", plan["runs"], plan["runs"] == 1 ? "run" : "runs",
          (plan["seconds"] / 60.0).ceil, plan["cost"]),
          *plan["table"].map { |row| format("  point %3d  repetition %2d  %s", row["point"], row["repetition"],
            levels(row)) }, *plan["objections"].map { |objection| "REFUSED: #{objection}" } ]
      end

      def levels(point)
        point["levels"].map { |name, level| "#{name} #{level}" }.join(", ")
      end
    end

    def initialize(experiment)
      @experiment = experiment
    end

    # Returns whether it has ended and all its results are computed.
    def over?
      evaluation = @experiment["evaluation"]
      ENDED.include?(@experiment["state"]) && !(evaluation && %w[ pending processing ].include?(evaluation["state"]))
    end

    # The code is that of a run: 3 if a run broke a threshold, 4 if a point has no accepted run.
    def exit_code
      case
      when @experiment["state"] != "finished" then 1
      when @experiment["points"].any? { |point| point["figures"].empty? && !point["skipped"] } then 4
      when runs.any? { |run| run["part"] == "accepted" && run["verdict"]["name"] == BROKEN } then 3
      else 0
      end
    end

    # Returns the changes of runs since the last call.
    def news(before)
      known = before ? self.class.new(before).runs.to_h { |run| [ run["id"], run["part"] ] } : {}
      news_of_tries(before) + @experiment["points"].flat_map do |point|
        point["runs"].filter_map do |run|
          part = run["part"] || run["state"]
          next if known[run["id"]] == run["part"] && known.key?(run["id"])

          "run #{run["id"]}  point #{point["point"]} (#{self.class.levels point}), repetition #{run["repetition"]}: " \
            "#{part}#{"  #{run["reason"]}" if run["reason"]}"
        end
      end
    end

    def progress
      "#{@experiment["id"]} #{@experiment["state"]}, #{@experiment["runs_made"]} of #{@experiment["runs_planned"]} runs"
    end

    def lines(sort: nil)
      [ "#{@experiment["id"]}  #{@experiment["name"]}", "  #{@experiment["state"]}, #{@experiment["summary"]}",
        *("  #{@experiment["error"]}" if @experiment["error"]), *points(sort), *effects, *at_one_speed, *found,
        *@experiment.dig("results", "remarks").to_a.map { |remark| "  #{remark}" } ]
    end

    protected
      def runs
        @experiment["points"].flat_map { |point| point["runs"] }
      end

      # Returns [ [ point, try ], … ] with the tries that are over.
      def tries
        @experiment["points"].flat_map { |point| point["tries"].to_a.map { |it| [ point, it ] } }
          .select { |_, it| it.key?("holds") }
      end

    private
      def news_of_tries(before)
        known = before ? self.class.new(before).tries.map { |point, it| key_of(point, it) } : []
        tries.reject { |point, it| known.include? key_of(point, it) }.map do |point, it|
          "run #{it["run"]}  #{self.class.levels point}, try #{it["repetition"]}: " \
            "#{it["holds"] ? "holds" : "breaks #{it["broken"].join(", ")}"}  " \
            "p99 #{significant it.dig("figures", "p99 [ms]")} ms"
        end
      end

      def key_of(point, it)
        [ point["point"], *it.values_at("run", "repetition") ]
      end

      # Returns the titles of columns, with that of the response.
      def columns
        told = @experiment["points"].flat_map { |point| point["figures"].keys }.uniq
        COLUMNS | told.select { |column| column.start_with?("#{@experiment["response"]} ") }
      end

      def points(sort)
        rows = sorted(sort).map do |point|
          figures = columns.map { |column| with_doubt(point["figures"][column]) }
          [ point["point"].to_s, self.class.levels(point), *figures, remark(point) ]
        end
        table [ [ "point", "levels", *columns, "" ], *rows ]
      end

      def sorted(sort)
        return @experiment["points"] unless sort

        name = sort.delete_prefix("-")
        value = ->(point) { point["figures"].find { |column, _| column.start_with?("#{name} ") }&.last&.fetch("mean") }
        known, unknown = @experiment["points"].partition(&value)
        ordered = known.sort_by(&value)
        (sort.start_with?("-") ? ordered.reverse : ordered) + unknown
      end

      def remark(point)
        rejected = point["runs"].count { |run| %w[ rejected failed ].include?(run["part"]) }
        [ ("skipped" if point["skipped"]), ("no accepted run" if point["figures"].empty? && !point["skipped"]),
          ("#{rejected} rejected" if rejected.positive?), tried(point) ].compact.join(", ")
      end

      def tried(point)
        held, broke = point["tries"].to_a.select { |it| it["counts"] }.partition { |it| it["holds"] }
        words = [ ("holds#{" #{held.size} x" if held.size > 1}" if held.any?),
          ("breaks #{broke.flat_map { |it| it["broken"] }.uniq.join(", ")}" if broke.any?) ].compact
        words.join(", ") if words.any?
      end

      def effects
        found = @experiment.dig("results", "effects").to_a.sort_by { |effect| -effect["share"].to_f }
        return [] if found.empty?

        table [ [ "effect on #{@experiment["response"]}", "", "95 %", "share", "" ], *found.map { |it| row_of it } ]
      end

      def at_one_speed
        speed = @experiment.dig("results", "at_one_speed") or return []
        rows = speed["points"].map do |point|
          [ levels_at(point["point"]), significant(point["mean"]),
            "#{significant point["low"]} to #{significant point["high"]}" ]
        end
        table [ [ "at one speed of the machines", @experiment["response"], "95 %" ], *rows ]
      end

      def levels_at(number)
        self.class.levels(@experiment["points"].find { |point| point["point"] == number })
      end

      def found
        answer = @experiment["found"] or return []
        holds, breaks = answer.values_at("holds", "breaks").map { |level| "#{level.to_i}#{answer["unit"]}" if level }
        [ "  holds: #{holds || "nothing"}, breaks: #{breaks || "nothing"}" \
          "#{answer["confirmed"] ? ", confirmed" : ", not confirmed"}" ]
      end

      def row_of(effect)
        range = effect.values_at("low", "high").compact.map { |value| significant value }
        [ effect["name"], effect["effect"] ? significant(effect["effect"]) : "F #{significant effect["f"]}",
          range.any? ? range.join(" to ") : "-", effect["share"] ? format("%.1f %%", effect["share"] * 100) : "-",
          effect["within_noise"] ? "within noise" : "" ]
      end

      def with_doubt(figure)
        return "-" unless figure
        return figure["reason"] if figure["reason"]

        half = (figure["high"] - figure["mean"]) if figure["high"]
        [ significant(figure["mean"]), ("+-#{significant half}" if half) ].compact.join(" ")
      end

      def significant(value)
        return "-" unless value
        return "0" if value.zero?

        format "%.*f", (2 - Math.log10(value.abs).floor).clamp(0, 4), value
      end

      def table(rows)
        widths = rows.transpose.map { |column| column.map(&:size).max }
        rows.map { |row| "  #{row.each_with_index.map { |cell, n| cell.ljust(widths[n]) }.join("  ")}".rstrip }
      end
  end
end
