# Where messages are kept: in the Testmaster's own server, in one that is set up for the run, or in one that is there.
module TestRun::Databased
  extend ActiveSupport::Concern

  URL = %r{\A(jdbc:)?postgres(ql)?://[^/\s]+(/\S*)?\z}

  included { validate :database_can_be_used }

  def run_database
    @run_database ||= TestRun::Database.new(self)
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
end
