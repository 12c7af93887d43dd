# Decides whether the logs of a run may support a model; only the log analyzer knows for certain.
module Outcome::Modelled
  def carries_model?
    complaint_about_model.nil?
  end

  def complaint_about_model
    case
    when !ended?           then "The run has not ended: its model is made of the logs"
    when !archive.attached? then "The run has no logs to make a model of"
    when !system.plots.include?("breakdown")
      "The logs of #{system.label} do not show what a request costs each station: the model is for MLMQ only"
    when without_rate.possible?
      "The model is for clients that wait for responses, but the load of this run has a rate: run it without one"
    end
  end

  # Returns the remedy for a run that carries no model only because its load has a rate; nil for others.
  def remedy_for_model
    without_rate if ended? && archive.attached? && system.plots.include?("breakdown") && without_rate.possible?
  end

  private
    def without_rate
      Outcome::Remedy.new(run, "without_rate")
    end
end
