class Experiments::CancellationsController < ApplicationController
  include ExperimentScoped

  def create
    @experiment.cancel
    answer notice: ("Cancelling. The logs of its current run are collected first." if @experiment.cancelling?)
  end
end
