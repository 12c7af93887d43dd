class Experiment::AdvanceJob < ApplicationJob
  queue_as :experiments

  retry_on(*Failure::OUR_OWN_TROUBLE, wait: 2.seconds, attempts: 100)

  def perform(experiment)
    experiment.advance
  end
end
