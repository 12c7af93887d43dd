# Adds repetitions of all points.
class Experiments::RepetitionsController < ApplicationController
  include ExperimentScoped

  def create
    repeated = @experiment.repeat(params[:more].to_s)
    answer alert: (@experiment.errors.full_messages.to_sentence unless repeated)
  end
end
