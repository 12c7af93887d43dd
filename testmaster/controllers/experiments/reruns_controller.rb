# Adds a repetition of one point.
class Experiments::RerunsController < ApplicationController
  include PointScoped

  def create
    answer_about @point.rerun, notice: "Point #{@point.number} is run once more."
  end
end
