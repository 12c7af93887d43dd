module Testmaster
  # Prints a comparison for a terminal.
  class Comparison
    NAMES = { "median" => "p50" }

    def initialize(comparison)
      @comparison = comparison
      @letters = comparison["sides"].map { |side| side["letter"] }
    end

    def lines
      [ *sides, *differences, *@comparison["warnings"].map { |warning| "  warning: #{warning}" }, *figures, *limits ]
    end

    private
      def sides
        @comparison["sides"].map do |side|
          "#{side["letter"]}  #{side["runs"].join(", ")}  #{side["name"]}#{", the baseline" if side["letter"] == "A"}"
        end
      end

      def differences
        return [ "  definition and environment are the same" ] if @comparison["differs"].empty?

        @comparison["differs"].map do |row|
          values = @letters.map { |letter| "#{letter} #{row["values"][letter] || "not set"}" }
          "  differs: #{[ row["group"], row["name"] ].compact.join(", ")}: #{values.join(", ")}"
        end
      end

      # Returns a row for each figure and side, the worst first.
      def figures
        rows = @comparison["figures"].flat_map do |figure|
          @letters.map { |letter| row_of(figure, letter, figure["sides"][letter] || {}) }
        end
        widths = rows.transpose.map { |column| column.map(&:size).max }
        rows.map { |row| "  #{row.each_with_index.map { |cell, n| cell.ljust(widths[n]) }.join("  ")}".rstrip }
      end

      def row_of(figure, letter, values)
        unit = figure["unit"]
        range = values.values_at("low", "high").compact
        [ NAMES.fetch(figure["figure"], figure["figure"]), letter, value_in_words(values, unit),
          range.size == 2 ? "(#{range.map { |value| in_words value, unit }.join(" to ")})" : "", change(values) ]
      end

      def change(values)
        case values["verdict"]
        when nil            then ""
        when "within noise" then "within noise"
        else [ (format("%+.1f %%", values["percent"]) if values["percent"]), values["verdict"] ].compact.join(" ")
        end
      end

      # Returns "> 1000.00 ms" if the figure lies among failed requests.
      def value_in_words(values, unit)
        values["at_least"] ? "> #{in_words values["at_least"], unit}" : in_words(values["value"], unit)
      end

      def in_words(value, unit)
        case
        when value.nil?      then "-"
        when unit == "us"    then format("%.2f ms", value / 1000.0)
        when unit == "1/s"   then format("%.1f /s", value)
        when unit == "messages" then format("%d messages", value)
        when %w[ copies requests ].include?(unit) then format("%.2f #{unit}", value)
        when unit == "B/s"   then format("%.2f MB/s", value / 1e6)
        else format("%.3g %%", value)
        end
      end

      def limits
        @comparison["limits"].map do |limit|
          case
          when limit["broken"] then "  BROKEN: #{limit["broken"]}"
          when limit["untold"] then "  unknown: #{limit["untold"]}"
          else "  kept: #{limit["limit"]} by #{limit["side"]}"
          end
        end
      end
  end
end
