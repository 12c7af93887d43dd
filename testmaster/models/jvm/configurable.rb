# Configures the start of a JVM as the system under test requires.
module Jvm::Configurable
  extend ActiveSupport::Concern

  included do
    delegate :system, to: :test_run
    delegate :command_line, :environment_names, :files, :properties, to: :program
  end

  def directory
    "#{machine.directory}/#{name}"
  end

  # The result includes defaults, as far as the catalogue of settings has them. A server of another system has its own.
  def settings_in_force
    known = broker? && !system.jvm? ? [] : system.settings_of(role, scenario).select(&:default)
    { **known.to_h { |setting| [ "#{role}.#{setting.name}", setting.default.to_s ] }, **properties }
  end

  private
    def program
      system.program_of self
    end
end
