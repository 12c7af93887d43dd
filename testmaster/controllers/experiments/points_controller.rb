# Shows one point with all its runs, including the rejected ones with their reasons.
class Experiments::PointsController < ApplicationController
  include ExperimentScoped

  def show
    @point = @experiment.points.find { |point| point.number.to_s == params[:id] } ||
      raise(ActiveRecord::RecordNotFound.new("There is no such point", "point", :id, params[:id]))

    respond_to do |format|
      format.html
      format.json { render json: @experiment.point_as_json(@point) }
    end
  end
end
