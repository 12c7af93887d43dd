# What a group of brokers or clients does, and the settings the form offers for it: the catalogue in
# config/scenarios.yml.
class Scenario
  attr_reader :name, :role, :description, :settings, :systems

  class << self
    def all
      @all ||= catalogue.fetch("scenarios").map do |name, entry|
        new(name, entry, catalogue.fetch("settings").fetch(entry.fetch("role")))
      end
    end

    def of(role)
      all.select { |scenario| scenario.role == role }
    end

    def find(name)
      all.detect { |scenario| scenario.name == name }
    end

    # Of PostgreSQL on a machine of its own
    def database_settings
      @database_settings ||= catalogue.fetch("settings").fetch("database").map do |name, entry|
        Setting.new(name, entry, whose: "the database")
      end
    end

    private
      def catalogue
        @catalogue ||= YAML.safe_load(Rails.root.join("config/scenarios.yml").read)
      end
  end

  def initialize(name, entry, known)
    @name, @role, @description = name, entry.fetch("role"), entry.fetch("description")
    @mix = entry.fetch("mix", {})
    @systems = role == "broker" ? System::NAMES : entry.fetch("systems", [ System.default.name ])
    @settings = entry.fetch("settings").map { |key| Setting.new(key, known.fetch(key), whose: name) }
  end

  def runs_on?(system)
    system.name.in?(systems)
  end

  # Operations of its mix that a system does not have: those of a value of its setting
  def operations_lacking(system, value)
    @mix[system.name] ? value.to_s.scan(/[a-z]+(?=:)/i) - @mix[system.name] : []
  end

  def setting(name)
    settings.detect { |setting| setting.name == name }
  end
end
