# Tells whether JVMs recorded a profile, and creates it.
module TestRun::Profiled
  extend ActiveSupport::Concern

  included do
    has_one :profile, dependent: :destroy
  end

  # The definition may request a recording, or a user during the run.
  def recorded?
    definition.groups.any?(&:profile) || commands.any? { |command| command.records? && command.replies.any?(&:ok?) }
  end

  # The profile is created automatically once.
  def profile_if_recorded
    Profile.request_for(self) if profile.nil? && archive.attached? && recorded?
  end
end
