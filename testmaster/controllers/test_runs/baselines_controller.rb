class TestRuns::BaselinesController < ApplicationController
  include TestRunScoped

  def create
    kind, value = params[:of].to_s.split(":", 2)
    baseline = Baseline.mark(@test_run, kind.to_s, value || (@test_run.name if kind == "name").to_s)

    if baseline.errors.none?
      answer "Later runs of #{baseline.words} are compared with this one."
    else
      respond_to do |format|
        format.html { redirect_to @test_run, alert: baseline.errors.full_messages.to_sentence, status: :see_other }
        format.json { render json: { errors: baseline.errors.full_messages }, status: :unprocessable_entity }
      end
    end
  end

  def destroy
    @test_run.baselines.find(params[:id]).destroy!
    answer "It is a baseline no more. Comparisons that were made stay."
  end

  private
    def answer(words)
      respond_to do |format|
        format.html { redirect_to test_run_path(@test_run, anchor: "baseline"), notice: words, status: :see_other }
        format.json { render json: @test_run.baselines.reload.map { |baseline| baseline.slice(:id, :kind, :value) } }
      end
    end
end
