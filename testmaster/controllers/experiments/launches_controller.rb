class Experiments::LaunchesController < ApplicationController
  include ExperimentScoped

  def create
    launched = @experiment.launch
    answer alert: (@experiment.errors.full_messages.to_sentence unless launched)
  end
end
