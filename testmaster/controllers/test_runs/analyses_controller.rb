class TestRuns::AnalysesController < ApplicationController
  include TestRunScoped

  open_to :viewer, only: :create

  def index
    render json: @test_run.analyses.map { |analysis| represent analysis }
  end

  def show
    render json: represent(@test_run.analyses.find(params[:id]))
  end

  def create
    @analysis = @test_run.analyses.build(analysis_params)

    if @analysis.request
      answer_started
    else
      answer_mistakes
    end
  end

  # Cancels an active analysis.
  def destroy
    @test_run.analyses.find(params[:id]).then { |analysis| analysis.ended? ? analysis.destroy! : analysis.cancel }

    respond_to do |format|
      format.html { redirect_to test_run_charts_path(@test_run, anchor: "analyses"), status: :see_other }
      format.json { head :no_content }
    end
  end

  private
    def analysis_params
      fields_of(:analysis).permit(:kind, :action_prefix, :window, :percentiles, :from, :to, :split)
    end

    def audited_subject
      @test_run
    end

    def represent(analysis)
      files = ActiveStorage::Attachment.where(record: analysis).order(:id)

      analysis.slice(:id, :kind, :action_prefix, :window, :percentiles, :from, :to, :split, :state, :error,
        :completed_at)
        .merge(files: files.to_h { |file| [ file.filename.to_s, analysis_file_path(analysis, file.name, keep: 1) ] })
    end

    def answer_started
      respond_to do |format|
        format.html { redirect_to test_run_charts_path(@test_run, anchor: "analyses") }
        format.json { render json: represent(@analysis), status: :created }
      end
    end

    def answer_mistakes
      respond_to do |format|
        format.html { render "test_runs/charts/show", status: :unprocessable_entity }
        format.json { render json: { errors: @analysis.errors.full_messages }, status: :unprocessable_entity }
      end
    end
end
