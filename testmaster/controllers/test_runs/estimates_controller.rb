# Shows the estimate of a run and its launch blockers while its definition is edited. It saves nothing.
class TestRuns::EstimatesController < ApplicationController
  include TestRunParams

  not_audited

  def create
    @test_run = TestRun.new(test_run_params)
    show
  end

  def update
    @test_run = TestRun.find(params[:test_run_id])
    @test_run.assign_attributes test_run_params
    show
  end

  private
    # Errors that were shown are validated again, so that they disappear once they are corrected.
    def show
      @test_run.validate if params[:correcting]
      render :show
    end
end
