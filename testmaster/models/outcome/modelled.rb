# Whether the logs of a run may carry a model; what the log analyzer says of them is known once it has read them.
module Outcome::Modelled
  def carries_model?
    complaint_about_model.nil?
  end

  def complaint_about_model
    case
    when !ended?           then "The run has not ended: its model is made of the logs"
    when !archive.attached? then "The run has no logs to make a model of"
    when !system.plots.include?("breakdown")
      "The logs of #{system.label} do not tell what a request costs each station: the model is for MLMQ"
    end
  end
end
