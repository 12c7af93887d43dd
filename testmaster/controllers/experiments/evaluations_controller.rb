# Has the log analyzer look at all runs so far, now.
class Experiments::EvaluationsController < ApplicationController
  include ExperimentScoped

  def create
    @experiment.evaluate_later
    answer
  end
end
