# Splits settings for the form: known settings of the scenario are fields, all others are lines of key=value.
module Definition::Group::Fields
  extend ActiveSupport::Concern

  included do
    validate :settings_fit_the_scenario, :mix_fits_the_system, :messages_fit_the_brokers, :pairing_fits_the_scenario
  end

  def known_settings
    (system || System.default).settings_of(role, scenario)
  end

  def scenario_settings=(pairs)
    pairs = pairs.to_h.stringify_keys
    self.settings = settings.except(*pairs.keys).merge(pairs.compact_blank)
  end

  def further_settings_text
    SettingsText.format settings.except(*keys_of_scenario)
  end

  def further_settings_text=(text)
    self.settings = settings.slice(*keys_of_scenario).merge(SettingsText.parse(text))
  end

  # Returns the validation error of one setting of the scenario, for its field.
  def complaint_about(setting)
    errors.where(:settings).filter_map { |error| error.options[:complaint] if error.options[:setting] == setting.name }
      .first
  end

  private
    def keys_of_scenario
      known_settings.map(&:name)
    end

    def mix_fits_the_system
      mix = known_settings.detect { |known| known.name == "mix" } or return
      lacking = Scenario.find(scenario).operations_lacking(system, settings["mix"].presence || mix.default)
      if lacking.any?
        complaint = "has #{lacking.to_sentence}, which #{system.label} has not: " \
          "write weights such as send:50,dequeue:50"
        errors.add :settings, "#{mix.label} (mix) #{complaint}", setting: "mix", complaint: complaint
      end
    end

    def pairing_fits_the_scenario
      return unless settings["pairing"] == "own" && known = Scenario.find(scenario)

      unless known.pairs_own?(settings["mix"].presence)
        complaint = "cannot be own: clients of #{scenario} do not both send and receive, so leave it out"
        errors.add :settings, "#{known.setting("pairing")&.label || "Setting"} (pairing) #{complaint}",
          setting: "pairing", complaint: complaint
      end
    end

    # Brokers refuse a client whose messages are longer than they accept.
    def messages_fit_the_brokers
      size = known_settings.detect { |known| known.name == "message.size" }
      return unless size && definition && complaint_about(size).nil?

      longest = Scenario::Setting.numbers_in(settings["message.size"].presence || size.default).max
      limit = definition.longest_message
      if limit && longest > limit
        complaint = "is #{longest} B, and the brokers take #{limit} B: write a smaller one, or add " \
          "content.max=#{longest} to the settings of the brokers"
        errors.add :settings, "#{size.label} (message.size) #{complaint}", setting: "message.size", complaint: complaint
      end
    end

    def settings_fit_the_scenario
      settings.each do |name, value|
        setting = known_settings.detect { |known| known.name == name }
        sound = value.present? && value.size <= Definition::Group::LONGEST_VALUE
        complaint = setting.complaint(value) if setting && sound
        if complaint
          errors.add :settings, "#{setting.label} (#{name}) #{complaint}", setting: name, complaint: complaint
        end
      end
    end
end
