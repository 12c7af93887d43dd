# The load of a group of brokers or clients, from the catalogue of the jar, and the settings that the form offers for
# it, from config/scenarios.yml.
class Scenario
  OF_BROKER = "takes requests from clients, keeps messages in the database, responds after the commit"

  TAKING = /\A(dequeue|receive)Messages?\z/

  attr_reader :name, :role, :description, :settings

  class << self
    def all
      @all ||= offered.fetch("scenarios").flat_map do |role, entries|
        entries.map { |name, settings| new(name, role, settings, offered.fetch("settings").fetch(role)) }
      end
    end

    def of(role)
      all.select { |scenario| scenario.role == role }
    end

    def find(name)
      all.detect { |scenario| scenario.name == name }
    end

    # The settings are those of PostgreSQL on a machine of its own.
    def database_settings
      @database_settings ||= offered.fetch("settings").fetch("database").map do |name, entry|
        Setting.new(name, entry, whose: "the database")
      end
    end

    # Returns the text of a value. YAML and JSON have true and false for some settings that are on or off.
    def written(role, name, value)
      choices = offered.fetch("settings").dig(role, name, "choices") || {}
      switch = { "true" => "on", "false" => "off" }[value.to_s]
      switch && choices.key?(switch) ? switch : value.to_s
    end

    private
      def offered
        @offered ||= YAML.safe_load(Rails.root.join("config/scenarios.yml").read)
      end
  end

  def initialize(name, role, settings, known)
    @name, @role, @known = name, role, Catalogue.scenarios.fetch(name, { "description" => OF_BROKER })
    @description = "#{@known["description"].upcase_first}."
    @settings = settings.map do |key|
      Setting.new(key, known.fetch(key), key: Catalogue.key("#{role}.#{key}"), whose: name)
    end
  end

  # Returns whether the system supports all operations of its clients, with any settings.
  def runs_on?(system)
    return true if role == "broker" || system.default?

    !@known["database_only"] && system.operations?(@known["operations"]) &&
      (@known["mix"].nil? || @known["mix"].values.any? { |operations| system.operations?(operations) })
  end

  # Returns whether its clients receive what clients of the same JVM send. mix is nil for the default.
  def pairs_own?(mix = nil)
    @known["pairs_own"] && (mix.nil? || mix.match?(/\bsend:/i) && mix.match?(/\b(dequeue|receive):/i))
  end

  # Returns whether its clients take messages. mix is nil for the default.
  def takes?(mix = nil)
    return @known["operations"].to_a.any? { |it| it.match?(TAKING) } unless setting("mix")

    (mix || setting("mix").default).match?(/\b(dequeue|receive):/i)
  end

  # Returns the words of a mix for operations that a system does not support.
  def operations_lacking(system, mix)
    mix.to_s.scan(/[a-z]+(?=:)/i).reject { |word| system.operations?(@known["mix"]&.fetch(word.downcase, nil).to_a) }
  end

  def setting(name)
    settings.detect { |setting| setting.name == name }
  end
end
