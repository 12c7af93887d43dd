class TestRuns::LaunchesController < ApplicationController
  include TestRunScoped

  def create
    launched = @test_run.launch

    respond_to do |format|
      format.html do
        launched ? redirect_to(@test_run) : redirect_to([ :edit, @test_run ],
          alert: @test_run.errors.full_messages.to_sentence)
      end
      format.json do
        launched ? render(json: @test_run, status: :accepted) : render(json: { errors: @test_run.errors.full_messages },
          status: :unprocessable_entity)
      end
    end
  end
end
