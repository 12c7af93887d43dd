class Provider::SweepJob < ApplicationJob
  def perform
    Provider::Sweep.perform
  end
end
