# Where messages are kept: in the Testmaster's own server, in one that is set up for the run, or in one that is there.
module TestRun::Databased
  extend ActiveSupport::Concern

  URL = %r{\A(jdbc:)?postgres(ql)?://[^/\s]+(/\S*)?\z}
  SETTING = /\A[a-z][a-z0-9_.]*\z/
  FILL = /\A\d{1,9}\s*,\s*\d{1,9}\s*,\s*\d{1,9}\z/

  included { validate :database_can_be_used, :database_settings_can_be_handed_on }

  def run_database
    @run_database ||= TestRun::Database.new(self)
  end

  def database_settings=(settings)
    super settings.to_h.to_h { |name, value| [ name.to_s.strip, value.to_s.strip ] }.compact_blank
  end

  private
    def database_can_be_used
      case database
      when "embedded"
        errors.add :database, "must be machine or a URL: rented machines cannot reach the embedded one" if provider&.kind == "ec2"
      when "machine"
        errors.add :database, "can have a machine of its own only where the provider has several (ssh, ec2)" if provider&.one_machine?
      when URL
        errors.add :database, "must name a host" if URI.parse(database.delete_prefix("jdbc:")).host.blank?
      else
        errors.add :database, "must be embedded, machine, or a URL such as postgresql://user:password@host:5432/postgres"
      end
    rescue URI::InvalidURIError
      errors.add :database, "is not a URL: percent-encode what is special in user and password"
    end

    def database_settings_can_be_handed_on
      database_settings.each do |name, value|
        case
        when name == "fill"            then errors.add :database_settings, "fill must be queues,messages,clients, such as 20,6000,100" unless value.match?(FILL)
        when !name.match?(SETTING)     then errors.add :database_settings, "#{name.inspect} is not a setting of PostgreSQL"
        when database != "machine"     then errors.add :database_settings, "#{name} can be set only where the database has a machine of its own"
        when value.match?(/[\r\n\0]/)  then errors.add :database_settings, "#{name} must be on one line"
        end
      end
    end
end
