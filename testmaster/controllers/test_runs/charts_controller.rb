class TestRuns::ChartsController < ApplicationController
  def show
    @test_run = TestRun.with_parts.find(params[:test_run_id])
  end
end
