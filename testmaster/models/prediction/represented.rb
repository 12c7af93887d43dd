require "csv"

# Represents a prediction as JSON and CSV.
module Prediction::Represented
  FIGURES_OF_CURVE = %w[ throughput response_ms ]
  BOUNDS = %w[ value low high ]

  def as_json(*)
    { "id" => id, "test_run" => test_run_id, "title" => title, "state" => state, "step" => step, "error" => error,
      "cancelling" => !!cancelling?, "created_at" => created_at, "completed_at" => completed_at,
      "asked" => slice(*Prediction::CHANGES), "run_accepted" => test_run.verdict&.sound?,
      "answer" => answer.presence, "objections" => (objections_to_check if completed?),
      "check" => check_as_json }.as_json
  end

  # Returns the data of its pictures: a line for each point of the curve, with and without the changes.
  def to_csv
    CSV.generate do |csv|
      load = rate ? "rate" : "clients"
      csv << [ "system", load, *FIGURES_OF_CURVE.product(BOUNDS).map { |names| names.join("_") }, "measured" ]
      { "as asked" => "curve", "as it was" => "curve_as_it_was" }.each do |system, curve|
        Array(answer[curve]).each { |point| csv << [ system, point[load], *bounds_of(point), point["measured"] ] }
      end
    end
  end

  private
    def bounds_of(point)
      FIGURES_OF_CURVE.flat_map { |figure| point[figure].values_at(*BOUNDS) }
    end

    def check_as_json
      return unless check_run

      { "run" => check_run_id, "state" => check_run.state, "verdict" => check_run.verdict&.name,
        "within" => confirmed?, "times_slower" => times_slower,
        "figures" => Prediction::Checked::FIGURES.keys.to_h { |figure|
          [ figure, { "predicted" => predicted(figure), "measured" => measured(figure),
            "error_percent" => error_percent(figure), "within" => within?(figure) } ]
        } }
    end
end
