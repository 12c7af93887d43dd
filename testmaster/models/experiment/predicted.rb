# Checks how well the model of one point predicts the others: the runs there verify each prediction.
module Experiment::Predicted
  # Paths of factors that a model can vary.
  ASKED_BY = /\A(clients\.\d+\.(machines|jvms|clients|settings\.rate)|
    brokers\.\d+\.(machines|jvms|settings\.(workers|db\.connections)))\z/x
  MOST_PREDICTED = 30 # points at a time: each takes seconds

  # Returns { point => run } with one accepted run of each point that has one.
  def runs_of_points
    @runs_of_points ||= points.to_h { |point| [ point, point.accepted.first ] }.compact
  end

  # Returns { point => run } with the runs whose model can be used: their clients wait for responses.
  def runs_to_predict_from
    runs_of_points.select { |_, run| run.outcome.carries_model? && run.definition.offered_load.nil? }
  end

  # Returns the predictions of all other points from this run, including earlier ones. Returns none, with the reason
  # among the errors, if there is nothing to predict or no such run.
  def predict_from(run)
    base = runs_of_points.key(run)
    asked = runs_of_points.select { |point, _| point != base && base && answerable?(base, point) }.values
    errors.add :base, complaint_about_predicting(base, run) if asked.empty?
    return [] if errors.any?

    made = run.predictions.where(check_run: asked).where.not(state: %w[ failed cancelled ]).to_a
    made + (asked - made.map(&:check_run)).first(MOST_PREDICTED).map { |other| predict other, run }
  end

  private
    def complaint_about_predicting(base, run)
      unasked = factors_not_asked.map(&:title).to_sentence
      case
      when run.nil?        then "Run id must be the number of a run of this experiment"
      when base.nil?       then "Run #{run.id} is not the accepted run of a point"
      when unasked.present?
        "No point can be predicted: a model can be asked about clients, rate, brokers, workers and connections where " \
          "there is one group of them, and #{unasked} #{factors_not_asked.one? ? "is" : "are"} none of these"
      else "There is no accepted run of another point to compare a prediction with"
      end
    end

    def answerable?(base, point)
      factors_not_asked.all? { |factor| base.levels[factor.name] == point.levels[factor.name] }
    end

    def factors_not_asked
      @factors_not_asked ||= factors.reject { |factor| factor.paths.keys.all? { |path| asked_by? path } }
    end

    # If only one of several groups grows, the mix of the load changes.
    def asked_by?(path)
      path.match?(ASKED_BY) && base_definition[path[/\A\w+/]].one?
    end

    def predict(other, run)
      run.predictions.create!(check_run: other, **questions(other, run)).tap(&:perform_later)
    end

    # Returns the differences from the run of the model. A rate is always included, as clients would otherwise wait for
    # responses.
    def questions(other, run)
      was = run.definition.asked_of_model
      other.definition.asked_of_model.reject { |name, value| name != "rate" && was[name] == value }
    end
end
