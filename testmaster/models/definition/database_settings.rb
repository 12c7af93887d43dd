# The initial data of a run's database and, if it has its own machine, the settings of PostgreSQL. The form shows
# frequent settings as fields and all others as lines of key=value.
module Definition::DatabaseSettings
  extend ActiveSupport::Concern

  NAME = /\A[a-z][a-z0-9_.]*\z/
  # These settings apply to every database.
  OURS = %w[ fill indexes ]

  included { validate :database_settings_can_be_handed_on }

  def settings_of_postgresql
    database_settings.except(*OURS)
  end

  def database_settings=(settings)
    super settings.to_h.to_h { |name, value| [ name, Scenario.written("database", name.to_s, value) ] }.compact_blank
  end

  def database_fields=(pairs)
    self.database_settings = database_settings.except(*names_of_database_fields).merge(pairs.to_h)
  end

  def further_database_settings_text
    SettingsText.format database_settings.except(*names_of_database_fields)
  end

  def further_database_settings_text=(text)
    self.database_settings = database_settings.slice(*names_of_database_fields).merge(SettingsText.parse(text))
  end

  # Returns the validation error of one setting, for its field.
  def complaint_about_database(name)
    errors.where(:database_settings)
      .filter_map { |error| error.options[:complaint] if error.options[:setting] == name }.first
  end

  private
    def names_of_database_fields
      Scenario.database_settings.map(&:name)
    end

    def database_settings_can_be_handed_on
      database_settings.each do |name, value|
        if complaint = complaint_about_database_setting(name, value)
          errors.add :database_settings, "#{name.truncate(50)} #{complaint}", setting: name, complaint: complaint
        end
      end
    end

    def complaint_about_database_setting(name, value)
      case
      when name.size > 100 || value.size > 2_000     then "has too many characters"
      when !name.match?(NAME)                        then "is not a setting of PostgreSQL"
      when database != "machine" && !name.in?(OURS)  then "can be set only where the database has a machine of its own"
      when value.match?(/[\r\n\0]/)                  then "must be on one line"
      else Scenario.database_settings.detect { |setting| setting.name == name }&.complaint(value)
      end
    end
end
