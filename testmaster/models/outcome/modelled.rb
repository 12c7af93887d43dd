# Decides whether the logs of a run may support a model; only the log analyzer knows for certain.
module Outcome::Modelled
  def carries_model?
    complaint_about_model.nil?
  end

  def complaint_about_model
    case
    when !ended?           then "The run has not ended: its model is made of the logs"
    when !archive.attached? then "The run has no logs to make a model of"
    when definition.client_groups.any? { |group| group.settings["rate"].present? }
      "The model is for clients that wait for responses, but the load of this run has a rate: run it without one"
    when !system.plots.include?("breakdown")
      "The logs of #{system.label} do not show what a request costs each station: the model is for MLMQ only"
    end
  end
end
