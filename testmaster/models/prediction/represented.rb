# A prediction as programs read it
module Prediction::Represented
  def as_json(*)
    { "id" => id, "test_run" => test_run_id, "title" => title, "state" => state, "step" => step, "error" => error,
      "cancelling" => !!cancelling?, "created_at" => created_at, "completed_at" => completed_at,
      "asked" => slice(*Prediction::CHANGES), "run_accepted" => test_run.verdict&.sound?,
      "answer" => answer.presence, "objections" => (objections_to_check if completed?),
      "check" => check_as_json }.as_json
  end

  private
    def check_as_json
      return unless check_run

      { "run" => check_run_id, "state" => check_run.state, "verdict" => check_run.verdict&.name,
        "within" => confirmed?, "figures" => Prediction::Checked::FIGURES.keys.to_h { |figure|
          [ figure, { "predicted" => predicted(figure), "measured" => measured(figure),
            "error_percent" => error_percent(figure), "within" => within?(figure) } ]
        } }
    end
end
