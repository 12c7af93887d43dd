# Defines the roles. Each role has the permissions of those before it.
module Role
  extend ActiveSupport::Concern

  NAMES = %w[ viewer experimenter administrator ]
  HINTS = {
    "viewer" => "reads, compares and plots runs",
    "experimenter" => "also launches, commands, cancels and deletes runs, and so runs code on this machine",
    "administrator" => "also changes providers and accounts"
  }

  included { validates :role, inclusion: { in: NAMES, message: "must be viewer, experimenter or administrator" } }

  def self.allows?(role, wanted)
    (NAMES.index(role) || -1) >= NAMES.index(wanted.to_s)
  end

  def may?(wanted)
    Role.allows? role, wanted
  end
end
