module PredictionScoped
  extend ActiveSupport::Concern
  include TestRunScoped

  included { before_action :set_prediction }

  private
    def set_prediction
      @prediction = @test_run.predictions.find(params[:prediction_id])
    end
end
