# Launches the run that checks a prediction.
class TestRuns::Predictions::ChecksController < ApplicationController
  include PredictionScoped

  def create
    @launched = @prediction.launch_check

    respond_to do |format|
      format.html do
        redirect_to [ @test_run, @prediction ], status: :see_other,
          alert: ("Not launched. #{@prediction.errors.full_messages.to_sentence}." unless @launched)
      end
      format.json do
        @launched ? render(json: @prediction, status: :created, location: @prediction.check_run) :
          render(json: { errors: @prediction.errors.full_messages }, status: :unprocessable_entity)
      end
    end
  end

  private
    def done?
      !!@launched
    end

    def audited_subject
      @prediction
    end

    def audited_run
      @prediction.check_run
    end
end
