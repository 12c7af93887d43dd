# Starts the log analyzer's evaluation of all runs so far.
class Experiments::EvaluationsController < ApplicationController
  include ExperimentScoped

  def create
    response = params[:response].presence&.to_s
    known = response.nil? || response.in?(Figure.names(:try))
    @experiment.evaluate_later response: response if known
    answer alert: ("response must be one of #{Figure.names(:try).to_sentence}" unless known)
  end
end
