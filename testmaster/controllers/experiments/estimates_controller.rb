# Shows the runs of an experiment, their time and cost, and the launch blockers while the form is edited. It saves
# nothing.
class Experiments::EstimatesController < ApplicationController
  include ExperimentParams

  not_audited

  def create
    @experiment = define(Experiment.new)
    @experiment.validate

    respond_to do |format|
      format.html { render :show }
      format.json {
 render json: @experiment.plan_as_json, status: @experiment.errors.any? ? :unprocessable_entity : :ok }
    end
  end
end
