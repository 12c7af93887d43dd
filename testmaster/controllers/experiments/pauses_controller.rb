# While it is paused no run begins; the present one goes to its end.
class Experiments::PausesController < ApplicationController
  include ExperimentScoped

  def create
    @experiment.pause
    answer notice: "Paused. The present run goes to its end.",
      alert: ("The experiment is #{@experiment.state}, so it cannot be paused" unless @experiment.paused?)
  end

  def destroy
    paused = @experiment.paused?
    @experiment.resume
    answer alert: ("The experiment is #{@experiment.state}, not paused" unless paused)
  end
end
