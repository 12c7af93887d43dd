# Predicts all other points of an experiment by the model of one of them.
class Experiments::PredictionsController < ApplicationController
  include ExperimentScoped

  def create
    @run = @experiment.test_runs.find_by(id: params[:run_id].to_s)
    @predictions = @experiment.predict_from(@run)

    respond_to do |format|
      format.html { done? ? redirect_to_predictions : answer(alert: complaint) }
      format.json { done? ? render(json: @predictions, status: :created) : answer(alert: complaint) }
    end
  end

  private
    def redirect_to_predictions
      redirect_to test_run_predictions_path(@run), status: :see_other,
        notice: "#{helpers.pluralize @predictions.size, "point"} of #{@experiment.name} " \
          "#{@predictions.one? ? "is" : "are"} predicted from this run. What was measured there stands beside it."
    end

    def done?
      @predictions.any?
    end

    def complaint
      @experiment.errors.full_messages.to_sentence
    end
end
