# Starts the server of a run in the place of a broker, with lib/machine/serve.sh.
class System::Driven::Server
  HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"

  def initialize(system, jvm)
    @system, @jvm = system, jvm
  end

  def command_line
    "bash #{Machine::Shell::Scripts.home("..")}/serve.sh #{@system} #{host} #{@jvm.port}"
  end

  def files
    { **@system.files_of_server(group.settings.except("port"), heap: group.heap), "logs/.keep" => "" }
  end

  def environment_names
    [ @system.secret ]
  end

  # Returns the settings of the server itself.
  def properties
    @system.settings_of_server(group.settings).except("port")
  end

  private
    delegate :group, :test_run, to: :@jvm

    # The server listens for other machines only if the run has several.
    def host
      test_run.provider.one_machine? ? HERE : EVERYWHERE
    end
end
