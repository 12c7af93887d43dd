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
    # Before a refused launch, fields that are still empty are no errors.
    def show
      @test_run.validate
      forget_blanks unless params[:correcting]
      @doubts = Definition::Doubtful.new(@test_run.definition).reasons if @test_run.errors.none?
      render :show
    end

    def forget_blanks
      @test_run.errors.objects.select! { |error| error.type != :blank }
    end
end
