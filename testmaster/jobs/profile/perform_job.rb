class Profile::PerformJob < ApplicationJob
  def perform(profile)
    profile.perform
  end
end
