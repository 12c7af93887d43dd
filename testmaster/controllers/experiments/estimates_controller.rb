# The table of runs, their time and cost, and what speaks against them, told while the form is typed. Nothing is saved.
class Experiments::EstimatesController < ApplicationController
  include ExperimentParams

  not_audited

  def create
    @experiment = Experiment.from_definition(experiment_definition)
    @experiment.validate

    respond_to do |format|
      format.html { render :show }
      format.json {
 render json: @experiment.plan_as_json, status: @experiment.errors.any? ? :unprocessable_entity : :ok }
    end
  end
end
