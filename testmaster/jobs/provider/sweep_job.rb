class Provider::SweepJob < ApplicationJob
  def perform
    Provider.sweep
  end
end
