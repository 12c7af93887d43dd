# One more repetition of a point
class Experiments::RerunsController < ApplicationController
  include PointScoped

  def create
    objection = @point.objection
    @point.rerun unless objection
    answer notice: "Point #{@point.number} is run once more.", alert: objection
  end
end
