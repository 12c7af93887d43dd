class Profile::PerformJob < ApplicationJob
  queue_as :analyses

  def perform(profile)
    profile.perform
  end
end
