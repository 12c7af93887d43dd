class TestRuns::CancellationsController < ApplicationController
  include TestRunScoped

  def create
    @test_run.cancel

    respond_to do |format|
      format.html do
        redirect_to @test_run, notice: ("Cancelling. Logs so far will be collected." if @test_run.cancelling?)
      end
      format.json { render json: @test_run, status: :accepted }
    end
  end
end
