# Starts one JVM of a run, broker or client, with the files in its folder and its command line.
class System::Mlmq::Program
  # Flight Recorder keeps unwritten data in the folder for temporary files, so a killed JVM leaves it among its logs.
  OPTIONS = %w[ -XX:+ExitOnOutOfMemoryError -XX:ErrorFile=logs/hs_err.log -Djava.io.tmpdir=logs ]
  # By the name profile.jfc, a JVM takes its own settings, which record environment variables with passwords.
  RECORDING, RECORDED = "recording.jfc", Rails.root.join("mlmq/src/main/resources/profile.jfc")
  RECORD = "-XX:StartFlightRecording=filename=logs/profile.jfr,settings=#{RECORDING},maxsize=64m,dumponexit=true " \
    "-Xlog:jfr+startup=error" # else it writes to standard output, where progress is read
  C1 = "-XX:TieredStopAtLevel=1"
  # Other machines of the run use its brokers without passwords. By a property, as older revisions refuse settings that
  # they do not know.
  ANONYMOUS = "-Dmlmq.broker.anonymous=anywhere"
  SETTINGS, LOGGING = "config.properties", "logging.properties"

  def initialize(system, jvm)
    @system, @jvm = system, jvm
  end

  def command_line
    [ "java", *heap_options, *OPTIONS, *(RECORD if group.profile), *(C1 if test_run.jit_compiler == "c1"),
      *clock_option, *(ANONYMOUS if @jvm.broker?), *Rails.configuration.x.java_options, program,
      "scenario -config #{SETTINGS} -l #{LOGGING} --progress" ].join(" ")
  end

  def files
    { SETTINGS => settings_file, LOGGING => ".level=INFO\n", "logs/.keep" => "",
      **(group.profile ? { RECORDING => RECORDED.read } : {}), **credentials.files_of(@jvm),
      **(@jvm.client? ? Contents.of(group)&.files : nil).to_h }
  end

  # Returns the names of the secrets in its environment.
  def environment_names
    [ *(@system.secret if database_user?), *(System::Mlmq::Credentials::PASSWORD if @jvm.client?) ]
  end

  def properties
    { "common.scenario.mytype" => role, "common.scenario.myposition" => @jvm.position, **test_run.mapping,
      "common.performancelogger.logfilepath" => "logs", "common.commandofile.path" => System::Mlmq::COMMAND_FILE,
      **database_properties, **credentials.properties_of(@jvm), **timing, **group.properties.except("broker.port") }
  end

  private
    delegate :group, :role, :test_run, to: :@jvm
    delegate :credentials, to: :test_run

    def program
      "-jar ../#{@system.jar}"
    end

    def heap_options
      group.heap ? [ "-Xms#{group.heap}", "-Xmx#{group.heap}" ] : []
    end

    # By a property, too.
    def clock_option
      "-Dmlmq.clock.offset=#{@jvm.machine.clock_offset}" if @jvm.client? && @jvm.machine.clock_error
    end

    def database_user?
      @jvm.broker? || @jvm.scenario == "DatabaseOnly"
    end

    def database_properties
      return {} unless database_user?

      database = test_run.run_database
      { "#{role}.db.url" => database.jdbc_url, "#{role}.db.user" => database.user }
    end

    def timing
      return {} unless @jvm.client?

      { "client.clients" => group.client_count, "client.start.at" => "command",
        "client.warmup" => "#{test_run.warmup}s", "client.duration" => "#{test_run.steady_duration}s",
        "client.cooldown" => "#{test_run.cooldown}s", **group.definition.phases_in_settings_of(group) }
    end

    def settings_file
      properties.map { |name, value| "#{name}=#{escape(value.to_s)}\n" }.join
    end

    # Escapes for java.util.Properties.
    def escape(value)
      value.gsub("\\") { "\\\\" }.sub(/\A(?=\s)/) { "\\" }.gsub(/[^\x20-\x7e]/) do |char|
        char.encode("UTF-16BE").unpack("n*").map { |unit| format("\\u%04x", unit) }.join
      end
    end
end
