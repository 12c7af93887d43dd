# How the server of a run is started, in the place of a broker: lib/machine/serve.sh keeps it.
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

  # Those that are its own
  def properties
    @system.settings_of_server(group.settings).except("port")
  end

  private
    delegate :group, :test_run, to: :@jvm

    # Other machines see it only where there are others.
    def host
      test_run.provider.one_machine? ? HERE : EVERYWHERE
    end
end
