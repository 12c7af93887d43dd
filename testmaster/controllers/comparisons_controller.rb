class ComparisonsController < ApplicationController
  include ComparisonParams, Paginated, Reported

  open_to :viewer, only: %i[ new create ]

  before_action :set_comparison, only: %i[ show update destroy ]

  def index
    @page = paginate Comparison.reverse_chronologically.preload(:entries)

    respond_to do |format|
      format.html
      format.json { render json: @page.records.map { |comparison| comparison.as_json(summary: true) } }
    end
  end

  def show
    respond_to do |format|
      format.html
      format.json { render json: @comparison }
      format.csv { send_data @comparison.to_csv, filename: "comparison_#{@comparison.id}.csv" }
      format.xml { render formats: :xml }
      format.report { send_report @comparison }
    end
  end

  # Lists the runs that a given run can be compared with.
  def new
    @test_run = TestRun.find(params[:test_run_id])
    @candidates = @test_run.outcome.runs_to_compare_with(params[:q].to_s)
  end

  def create
    @comparison = Comparison.new(comparison_params)
    @comparison.request ? answer(:created) : answer_mistakes
  end

  # Makes another side the baseline.
  def update
    @comparison.rebase(fields_of(:comparison).permit(:baseline)[:baseline]) ? answer(:accepted) : answer_mistakes
  end

  def destroy
    @comparison.destroy!

    respond_to do |format|
      format.html do
        redirect_to comparisons_path, notice: "The comparison is deleted. Its runs are kept.", status: :see_other
      end
      format.json { head :no_content }
    end
  end

  private
    def set_comparison
      @comparison = Comparison.preload(entries: :test_run).with_attached_pictures.find(params[:id])
    end

    def answer(status)
      respond_to do |format|
        format.html { redirect_to @comparison }
        format.json { render json: @comparison, status: status, location: @comparison }
      end
    end

    def answer_mistakes
      respond_to do |format|
        format.html do
          redirect_back_or_to test_runs_path, alert: "Not compared. #{@comparison.errors.full_messages.to_sentence}.",
            status: :see_other
        end
        format.json { render json: { errors: @comparison.errors.full_messages }, status: :unprocessable_entity }
      end
    end
end
