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

  private
    def program
      system.program_of self
    end
end
