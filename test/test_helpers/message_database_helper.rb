# Makes a database with the tables of MLMQ from their SQL, and with messages.
module MessageDatabaseHelper
  extend ActiveSupport::Concern

  TABLES = %w[ schema topic functions access topic_functions limit_functions fill ]
    .map { |name| Rails.root.join("mlmq/src/main/resources/db/#{name}.sql") }

  included { teardown { drop_message_databases } if respond_to?(:teardown) }

  # @return an entry of the console for it, with the password of the tests' own role
  def message_database(name: "Lab", **attributes)
    MessageDatabase.create! name: name, address: address_of(make_message_database), **attributes
  end

  def make_message_database(name = "console_#{SecureRandom.hex(6)}")
    message_databases[name] = nil
    own_connection do |own|
      own.set_notice_processor { }
      own.exec "DROP DATABASE IF EXISTS \"#{name}\" WITH (FORCE)"
      own.exec "CREATE DATABASE \"#{name}\""
    end
    connection = message_databases[name] = own_connection_to(name)
    connection.set_notice_processor { }
    TABLES.each { |file| connection.exec file.read }
    connection
  end

  def address_of(connection)
    host = connection.host.start_with?("/") ? "127.0.0.1" : connection.host
    password = CGI.escape(connection.pass.to_s.presence || "x")
    "postgresql://#{connection.user}:#{password}@#{host}:#{connection.port}/#{connection.db}"
  end

  # Turns the database into that of the run, by address, and closes the connection.
  def make_database_of(run, inside)
    run.update! database: address_of(inside)
    run.events.create! name: "database_created", message: "Made", phase: "deploying"
    original, name = inside.db, run.run_database.name
    inside.close
    own_connection { |own| own.exec "ALTER DATABASE \"#{original}\" RENAME TO \"#{name}\"" }
    message_databases.delete original
    message_databases[name] = nil
  end

  # @return the connection to the database of an entry
  def inside(entry)
    message_databases.fetch(URI.parse(entry.address).path.delete_prefix("/"))
  end

  def drop_message_databases
    message_databases.each do |name, connection|
      connection&.close
      own_connection { |own| own.exec "DROP DATABASE IF EXISTS \"#{name}\" WITH (FORCE)" }
    end
    message_databases.clear
  end

  private
    def message_databases
      @message_databases ||= {}
    end

    def own_connection
      connection = own_connection_to(ApplicationRecord.connection_db_config.database)
      yield connection
    ensure
      connection&.close
    end

    def own_connection_to(name)
      own = ApplicationRecord.connection.raw_connection
      PG.connect host: own.host, port: own.port, user: own.user, password: own.pass, dbname: name
    end
end
