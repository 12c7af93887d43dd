# Our broker on PostgreSQL, and the clients in the same jar.
class System::Mlmq < System
  include Calibrating, Tables, Layout

  COMMAND_FILE = "command.txt"
  COMMANDS = [ "shutdown", "logstacktrace", "logmemory", "status", "profile Ns", "pause", "resume", "rate N" ]
  OF_CLIENTS = %w[ pause resume rate ] # commands that only the load understands
  LONGEST_PROFILE = 60 # seconds
  COMMAND = %r{\A(shutdown|logstacktrace|logmemory|status|pause|resume|profile\ [1-9]\d?s|
    rate\ \d{1,9}(\.\d{1,9})?(/(s|min))?)\z}x
  RESERVED = { "broker" => %w[ db.url db.user ], "client" => %w[ start.at warmup duration cooldown clients load ] }

  # The table maps states of clients and brokers to those of the Testmaster.
  STATES = { "ready" => "ready", "warmup" => "running", "measuring" => "running", "cooldown" => "running",
    "draining" => "stopping", "stopping" => "stopping" }

  ACTIONS = { "CSndReq#OK#" => "Round trips that went well", "CSndReq#" => "All round trips",
    "BTotReqResp" => "In the broker", "BQueue" => "Waiting for a worker", "BProcReq#" => "With a worker",
    "BPool" => "Waiting for a connection", "BDb#" => "In the database", "BRespQueue" => "Waiting to be sent" }

  CHATTER = /\bINFO\b/
  JAR_IS_GONE = /Unable to access jarfile/
  # Maven reads the modules of all drivers, so every build needs each of them.
  MODULES = [ "mlmq_client", "mlmq", "systems/contract",
    *Rails.root.glob("systems/*/driver").map { |path| path.relative_path_from(Rails.root).to_s }.sort ]
  SOURCES = [ "pom.xml", "log_analyzer/pom.xml",
    *MODULES.flat_map { |path| [ "#{path}/pom.xml", "#{path}/src/main" ] } ]

  ADVICE = {
    /Address already in use|port \S* ?is taken|cannot listen/i =>
      "Another program listens there. Take the port out of the settings, so that a free one is chosen, or stop that " \
      "program.",
    JAR_IS_GONE =>
      "Something removed mlmq.jar from the run's folder on that machine. Launch the run again: the jar is copied anew.",
    DatabaseServer::UPGRADED => DatabaseServer::ADVICE_ON_UPGRADE,
    /unknown key|must be|breaks/ => "Correct the settings of its group.",
    /OutOfMemory|ExitOnOutOfMemoryError/ => "Give the group a larger heap, or fewer clients.",
    /authentication|database .* does not exist|Connection to .* refused/i => DatabaseServer::ADVICE
  }

  def sources         = SOURCES
  def catalogue       = "config/mlmq/catalogue.json"
  def build_arguments = "-pl mlmq -am package"
  def products        = { jar => "mlmq/target/mlmq.jar" }
  def jar             = "mlmq.jar"
  def label           = "MLMQ"
  def description     = Scenario.find(Definition::BrokerGroup::SCENARIO).description
  def operations?(_)  = true
  def jvm?            = true
  def packages        = nil
  def program         = "JVM"
  def recorded        = %w[ actions broker_logs broker_statistics steps ]
  def in_database?    = true
  def secret          = "MLMQ_DB_PASSWORD"
  def requests        = ACTIONS.keys.first
  def tiers           = [ requests, "BTotReqResp", "BDb#" ]
  def actions         = ACTIONS
  def commands        = COMMANDS
  def broker_figures  = %w[ rate requests errors shed queue clients ]
  def words_of_queue  = [ "Requests that wait for a worker", "of each broker" ]
  def chatter         = CHATTER
  def times           = "logs/times_*.txt"
  def kept_files      = %w[ config.properties command.txt.result ]

  def longest_message(broker_groups)
    broker_groups.map { |group| group.setting("content.max").to_i }.min
  end

  def lacking(facts, roles = Jvm::ROLES)
    unless facts["java"].to_s.include?("version")
      [ "There is no Java", "Install Java 17 there: apt-get install openjdk-17-jre-headless" ]
    end
  end

  def program_of(jvm)
    Program.new(self, jvm)
  end

  # Returns a text such as Broker#10.0.0.1:8100,10.0.0.2:8100.
  def mapping_of(test_run)
    { "common.scenario.mapping.broker" => hosts_of(test_run.brokers) { |jvm| "#{jvm.machine.address}:#{jvm.port}" },
      "common.scenario.mapping.client" => hosts_of(test_run.clients) { |jvm| jvm.machine.address } }
  end

  def template_of(role)
    "config/mlmq/#{role}.properties"
  end

  def settings_of(role, scenario)
    Scenario.find(scenario)&.settings.to_a
  end

  def complaint_about(role, key)
    case
    when !key.match?(Definition::Group::SETTING)       then "is not a key: write key=value, such as workers=8"
    when key.in?(RESERVED.fetch(role)) then "is set by the Testmaster"
    end
  end

  def state_of(progress)
    STATES.fetch(progress["state"], "starting")
  end

  def summary?(path)
    path.match?(%r{/summary_client_\d+\.json\z})
  end

  def log_of(jvm)
    "logs/#{jvm.name}.log"
  end

  def logs_of(jvm)
    [ File.basename(log_of(jvm)), "stderr.log" ]
  end

  def command?(line)
    line.match?(COMMAND) && seconds_of_profile(line) <= LONGEST_PROFILE
  end

  def understands?(role, line)
    role == "client" || OF_CLIENTS.exclude?(line.split.first)
  end

  # The reply to a command with a duration comes at its end. On a busy machine its start and its output take seconds
  # more.
  def ask(machine, jvms, line)
    seconds = seconds_of_profile(line)
    machine.ask jvms, line, COMMAND_FILE, patience: seconds.zero? ? 10 : 30 + 2 * seconds
  end

  def start_load(machine, jvms, at)
    machine.tell jvms, "start #{at.round}", COMMAND_FILE
  end

  def end_phase_of_load(machine, jvms, number, at)
    machine.tell jvms, "next #{number} #{at.round}", COMMAND_FILE
  end

  def shut_down(machine, jvms)
    machine.tell jvms, "shutdown", COMMAND_FILE
  end

  def jar_gone?(words)
    words.match?(JAR_IS_GONE)
  end

  def advice_on(words)
    ADVICE.find { |pattern, _| words.match?(pattern) }&.last
  end

  private
    def seconds_of_profile(line)
      line[/\Aprofile (\d+)s\z/, 1].to_i
    end

    def hosts_of(jvms)
      groups = jvms.chunk_while { |a, b| a.group_position == b.group_position }
      groups.map { |group| "#{group.first.scenario}##{group.map { |jvm| yield jvm }.join(",")}" }.join(";")
    end
end
