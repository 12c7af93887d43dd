# Has the log analyzer look at all runs so far, now.
class Experiments::EvaluationsController < ApplicationController
  include ExperimentScoped

  def create
    response = params[:response].presence&.to_s
    known = response.nil? || response.in?(Experiment::Figure::NAMES)
    @experiment.evaluate_later response: response if known
    answer alert: ("response must be one of #{Experiment::Figure::NAMES.to_sentence}" unless known)
  end
end
