# What a run would take, and what speaks against its launch, told while its definition is typed. Nothing is saved.
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
    # What has been told to be wrong is looked at anew, so that it goes once it is corrected.
    def show
      @test_run.validate if params[:correcting]
      render :show
    end
end
