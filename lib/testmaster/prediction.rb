module Testmaster
  # Prints a prediction for a terminal.
  class Prediction
    FIGURES = { "throughput" => [ "throughput", "/s" ], "response_ms" => [ "mean response time", "ms" ] }
    DOUBTS = %w[ not_explained batch_not_told processors_short ]
    OUTSIDE = 3 # exit code

    def initialize(prediction)
      @prediction = prediction
    end

    def lines
      [ "prediction #{@prediction["id"]} of run #{@prediction["test_run"]}: #{@prediction["title"]}", *not_accepted,
        *doubts, *FIGURES.keys.map { |figure| line figure }, binding_station,
        *answer["not_measured"].map { |what| "  not measured: #{what}" }, *check ]
    end

    # Returns the code for a check that has ended; outcome is the exit code of the run that checks.
    def exit_code(outcome)
      [ 0, OUTSIDE ].include?(outcome) ? (@prediction.dig("check", "within") ? 0 : OUTSIDE) : outcome
    end

    private
      def answer
        @prediction["answer"]
      end

      def not_accepted
        "  the run is not accepted, so its model is no better than its figures" unless @prediction["run_accepted"]
      end

      def doubts
        answer.values_at(*DOUBTS).compact.map { |words| "  #{words}" }
      end

      def line(figure)
        name, unit = FIGURES.fetch(figure)
        value, low, high = answer["answer"][figure].values_at("value", "low", "high")
        format "  %-20s %s %s (%s to %s)", name, number(value), unit, number(low), high ? number(high) : "no end"
      end

      def binding_station
        rate = answer["batch_not_told"] ? "from an unknown rate" : "at #{number answer["capacity"]} /s"
        "  binds: #{answer.dig("binds", "station")}, #{rate}"
      end

      def check
        return @prediction["objections"].map { |words| "  cannot be checked: #{words}" } unless @prediction["check"]

        run, figures = @prediction["check"].values_at("run", "figures")
        measured = figures.select { |_, it| it["measured"] }.map do |figure, it|
          name, unit = FIGURES.fetch(figure)
          format "  run %d measured %s %s %s, %+.1f %%: %s its interval", run, name, number(it["measured"]), unit,
            it["error_percent"], it["within"] ? "inside" : "OUTSIDE"
        end
        measured.any? ? [ *measured, *speed ] : [ "  run #{run} checks it" ]
      end

      # The model does not know that a machine's speed changes.
      def speed
        times = @prediction["check"]["times_slower"]
        format "  the fixed piece of work took %.2f times as long on its machine", times if times
      end

      def number(value)
        format value.abs < 100 ? "%.2f" : "%.0f", value
      end
  end
end
