class Experiments::CancellationsController < ApplicationController
  include ExperimentScoped

  def create
    @experiment.cancel
    answer notice: ("Cancelling. Its present run is collected first." if @experiment.cancelling?)
  end
end
