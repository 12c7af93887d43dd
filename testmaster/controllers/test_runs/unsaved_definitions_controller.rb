# Saves the input of a run's form automatically. See UnsavedDefinition.
class TestRuns::UnsavedDefinitionsController < ApplicationController
  include TestRunParams

  not_audited
  before_action { @test_run = TestRun.find(params[:test_run_id]) if params[:test_run_id] }

  def create
    unsaved = UnsavedDefinition.keep(Current.user, @test_run, form_params)

    if unsaved.errors.none?
      render json: { kept_at: unsaved.updated_at }, status: :created
    else
      render json: { errors: unsaved.errors.full_messages }, status: :unprocessable_entity
    end
  end

  def destroy
    UnsavedDefinition.forget Current.user, @test_run
    redirect_to @test_run ? [ :edit, @test_run ] : new_test_run_path, notice: "What was typed is discarded.",
      status: :see_other
  end
end
