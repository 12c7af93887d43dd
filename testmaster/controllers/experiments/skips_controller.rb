# Skips a point from now on. Its runs stay.
class Experiments::SkipsController < ApplicationController
  include PointScoped

  def create
    skipped = @point.skip
    answer notice: "Point #{@point.number} is skipped.", alert: (@point.objection unless skipped)
  end

  def destroy
    answer_about @point.unskip, notice: "Point #{@point.number} is included again."
  end
end
