# Whether JVMs recorded a profile, and what became of it.
module TestRun::Profiled
  extend ActiveSupport::Concern

  included do
    has_one :profile, dependent: :destroy
  end

  # As its definition asks for it, or somebody did while it ran.
  def recorded?
    definition.groups.any?(&:profile) || commands.any? { |command| command.records? && command.replies.any?(&:ok?) }
  end

  # By itself, once
  def profile_if_recorded
    Profile.request_for(self) if profile.nil? && archive.attached? && recorded?
  end
end
