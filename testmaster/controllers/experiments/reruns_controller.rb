# One more repetition of a point
class Experiments::RerunsController < ApplicationController
  include PointScoped

  def create
    rerun = @point.rerun
    answer notice: "Point #{@point.number} is run once more.",
      alert: ("The experiment is a draft, or has 1,000 runs already" unless rerun)
  end
end
