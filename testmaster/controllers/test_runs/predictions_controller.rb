# Predicts the figures of a run with other clients, brokers or workers.
class TestRuns::PredictionsController < ApplicationController
  include TestRunScoped

  MOST = 100 # of the latest

  before_action :set_prediction, only: %i[ show destroy ]

  def index
    @prediction = @test_run.predictions.build
    set_earlier

    respond_to do |format|
      format.html
      format.json { render json: @earlier }
    end
  end

  def show
    set_earlier

    respond_to do |format|
      format.html
      format.json { render json: @prediction }
      format.csv { send_data @prediction.to_csv, filename: "prediction_#{@prediction.id}.csv" }
    end
  end

  def create
    @prediction = @test_run.predictions.build(fields_of(:prediction).permit(*Prediction::CHANGES))

    if @prediction.request
      respond_to do |format|
        format.html { redirect_to [ @test_run, @prediction ] }
        format.json { render json: @prediction, status: :created, location: [ @test_run, @prediction ] }
      end
    else
      answer_mistakes
    end
  end

  # Cancels an active prediction. The run that checks it is kept.
  def destroy
    @prediction.ended? ? @prediction.destroy! : @prediction.cancel

    respond_to do |format|
      format.html do
        redirect_to @prediction.destroyed? ? test_run_predictions_path(@test_run) : [ @test_run, @prediction ],
          status: :see_other
      end
      format.json { head :no_content }
    end
  end

  private
    def set_prediction
      @prediction = @test_run.predictions.with_attached_pictures.find(params[:id])
    end

    def set_earlier
      @earlier = @test_run.predictions.where.not(id: nil).preload(:test_run, :check_run).limit(MOST).to_a
    end

    def answer_mistakes
      respond_to do |format|
        format.html do
          set_earlier
          render :index, status: :unprocessable_entity
        end
        format.json { render json: { errors: @prediction.errors.full_messages }, status: :unprocessable_entity }
      end
    end
end
