# Pauses and resumes an experiment. While it is paused no run starts; the present one ends normally.
class Experiments::PausesController < ApplicationController
  include ExperimentScoped

  def create
    @experiment.pause
    answer notice: "Paused. The current run continues to its end.",
      alert: ("The experiment is #{@experiment.state}, so it cannot be paused" unless @experiment.paused?)
  end

  def destroy
    paused = @experiment.paused?
    @experiment.resume
    answer alert: ("The experiment is #{@experiment.state}, not paused" unless paused)
  end
end
