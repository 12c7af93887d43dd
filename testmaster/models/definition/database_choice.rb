# Selects the database of the messages: in the Testmaster's own server, in one that is set up for the run, or in an
# existing one. The form asks for a kind, and for the address of an existing server.
module Definition::DatabaseChoice
  extend ActiveSupport::Concern

  KINDS = %w[ embedded machine ] # anything else is an address

  included { validate :database_can_be_used }

  # Returns text; see Definition::Sealed.
  def database
    super.then { |value| value.is_a?(Definition::Sealed) ? value.open : value }
  end

  def database_kind
    database.in?(KINDS) ? database : "url"
  end

  def database_kind=(kind)
    self.database = kind == "url" ? "" : kind unless kind == database_kind
  end

  # Returns the address without its password, which no page shows.
  def database_url
    database_kind == "url" ? database_without_password : ""
  end

  # A form that sends back the address as shown keeps it, with its password.
  def database_url=(url)
    self.database = url.to_s.strip if database_kind == "url" && url != database_url
  end

  def database_without_password
    database.in?(KINDS) ? database : Address::Database.new(database.to_s).without_password
  end

  def keep_database?
    !!keep_database
  end

  private
    # These providers have several machines.
    def several
      Provider.kinds.reject { |_, kind| kind.one_machine? }.keys
    end

    def database_can_be_used
      return unless in_database?

      case database
      when "embedded"
        if provider&.rented?
          errors.add :database, "must be machine or a URL: rented machines cannot reach the embedded one"
        end
      when "machine"
        if provider&.one_machine?
          errors.add :database,
            "can have a machine of its own only where the provider has several (#{several.join(", ")})"
        end
      else
        complaint = Address::Database.new(database.to_s).complaint
        errors.add :database, complaint if complaint
      end
    end
end
