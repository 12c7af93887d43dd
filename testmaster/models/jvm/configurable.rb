# How a JVM is started: as the system that is under test has it.
module Jvm::Configurable
  extend ActiveSupport::Concern

  included do
    delegate :system, to: :test_run
    delegate :command_line, :environment_names, :files, :properties, to: :program
  end

  def directory
    "#{machine.directory}/#{name}"
  end

  # Also what nobody has set, as far as the catalogue of settings tells it. A server that is not ours has its own.
  def settings_in_force
    known = broker? && !system.jvm? ? [] : system.settings_of(role, scenario).select(&:default)
    { **known.to_h { |setting| [ "#{role}.#{setting.name}", setting.default.to_s ] }, **properties }
  end

  private
    def program
      system.program_of self
    end
end
