# The files a JVM finds in its folder, and how it is started.
module Jvm::Configurable
  OPTIONS = %w[ -XX:+ExitOnOutOfMemoryError -XX:ErrorFile=logs/hs_err.log ]
  LOGGING = ".level=INFO\n"
  COMMAND_FILE = "command.txt"

  def directory
    "#{machine.directory}/#{name}"
  end

  def command_line
    [ "java", *heap_options, *OPTIONS, *Rails.configuration.x.java_options, "-jar ../mlmq.jar scenario -config config.properties -l logging.properties --progress" ].join(" ")
  end

  def files
    { "config.properties" => properties_file, "logging.properties" => LOGGING, "logs/.keep" => "" }
  end

  # Which secrets it is started with.
  def environment_names
    database_user? ? [ "MLMQ_DB_PASSWORD" ] : []
  end

  def properties
    { "common.scenario.mytype" => role, "common.scenario.myposition" => position, **test_run.mapping,
      "common.performancelogger.logfilepath" => "logs", "common.commandofile.path" => COMMAND_FILE,
      **database_properties, **timing, **group.properties.except("broker.port") }
  end

  private
    def heap_options
      group.heap ? [ "-Xms#{group.heap}", "-Xmx#{group.heap}" ] : []
    end

    def database_user?
      broker? || scenario == "DatabaseOnly"
    end

    def database_properties
      database_user? ? { "#{role}.db.url" => test_run.run_database.jdbc_url, "#{role}.db.user" => test_run.run_database.user } : {}
    end

    def timing
      return {} unless client?

      { "client.clients" => group.client_count, "client.start.at" => "command", "client.warmup" => "#{test_run.warmup}s",
        "client.duration" => "#{test_run.steady_duration}s", "client.cooldown" => "#{test_run.cooldown}s" }
    end

    def properties_file
      properties.map { |name, value| "#{name}=#{escape(value.to_s)}\n" }.join
    end

    # As java.util.Properties reads it.
    def escape(value)
      value.gsub("\\") { "\\\\" }.sub(/\A(?=\s)/) { "\\" }.gsub(/[^\x20-\x7e]/) { |char| char.encode("UTF-16BE").unpack("n*").map { |unit| format("\\u%04x", unit) }.join }
    end
end
