# Another system: a server that lib/machine/serve.sh runs in the place of a broker, or an existing server at an address.
# Our clients reach it by a driver. Its folder in systems/ has system.yml, its class in system/, serve.sh, and its
# driver as a Maven module unless our jar contains it.
class System::Driven < System
  FOLDER = Rails.root.join("systems")
  SETTINGS = YAML.safe_load(FOLDER.join("settings.yml").read)
  COMMANDS = %w[ kill start ] # in addition to those of clients
  OF_BOTH = %w[ status shutdown ]
  USER, LOG = "testmaster", "logs/server.log"
  STATES = { "ready" => "ready", "down" => "stopping" }
  PATIENCE = 120 # seconds until a restarted server must serve again

  INSTALL = "Install it there: apt-get install %s"
  ADVICE = {
    /already in use|eaddrinuse|could not bind|could not create any TCP/i =>
      "Another program listens there. Launch the run again: another port is chosen.",
    /cannot reach|give the provider a folder/ => "Give the provider a folder that every user may enter.",
    /unrecognized configuration parameter|invalid value for parameter|conf(ig)?_?[a-z]* .*(error|invalid|not known)|
      Invalid property|not allowed to appear in element/xi => "Correct the settings of its group."
  }

  delegate :sources, :requests, :chatter, :times, :summary?, :start_load, :end_phase_of_load, :shut_down,
    :jar_gone?, to: :ours

  def label        = entry.fetch("label")
  def description  = entry.fetch("description")
  def driver       = entry.fetch("driver")
  def schemes      = entry.fetch("schemes")
  def scheme       = schemes.first
  def packages     = entry.fetch("packages").join(" ")
  def services     = entry.fetch("services")
  def installed    = entry.fetch("installed")
  def log_line     = entry["log_line"]
  def secret       = "MLMQ_DRIVER_PASSWORD"
  def in_database? = false
  def jvm?         = false # whether its server is a JVM
  def tiers        = [ requests ]
  def actions      = ours.actions.select { |prefix, _| prefix.start_with?("CSndReq") }
  def commands     = ours.commands + COMMANDS
  def kept_files   = ours.kept_files + files_of_server({}).keys
  def counters     = {}
  def program      = "process"
  def recorded     = %w[ actions steps ] # only clients of ours write logs of requests
  def words_of_queue = [ "#{label}: messages in queues", "by its own count" ]
  def settings     = @settings ||= entry.fetch("settings").map { |entry| setting_of(entry) }
  def broker_figures = %w[ rate queue unacknowledged connections cpu memory ]

  # Returns the folder in which its driver is built; nil if our jar contains it.
  def driver_folder
    "systems/#{name}/driver" if FOLDER.join(name, "driver").exist?
  end

  # Returns whether its driver can execute them.
  def operations?(labels)
    (labels - Catalogue.operations_of_driver(driver, driver_folder)).empty?
  end

  def build_arguments
    driver_folder ? "-pl :mlmq,:mlmq-driver-#{driver} -am package" : ours.build_arguments
  end

  def products
    driver_folder ? { **ours.products, driver_jar => "#{driver_folder}/target/#{driver_jar}" } : ours.products
  end

  def lacking(facts, roles = [])
    return [ "There is no #{label}", INSTALL % packages ] if "broker".in?(roles) && facts[name].blank?

    ours.lacking(facts, roles)
  end

  def program_of(jvm)
    jvm.broker? ? Server.new(self, jvm) : Client.new(self, jvm)
  end

  # The mapping lists only clients: they get the address of the server separately.
  def mapping_of(test_run)
    ours.mapping_of(test_run)
  end

  def template_of(role)
    role == "broker" ? entry.fetch("like") : ours.template_of(role)
  end

  def settings_of(role, scenario)
    role == "broker" ? settings : ours.settings_of(role, scenario)
  end

  def complaint_about(role, key)
    return ours.complaint_about(role, key) unless role == "broker"

    case
    when key.in?(settings.map(&:name)) then nil
    when !key.match?(Regexp.new(entry.fetch("keys")))
      "is not a key: write key=value, as in #{template_of(role)}"
    when key.match?(Regexp.new(entry.fetch("reserved"))) then "is set by the Testmaster"
    end
  end

  # Returns the settings of its driver, such as { "queue" => "quorum" }; all others are those of the server.
  def settings_of_driver(settings)
    settings.slice(*words_of_driver)
  end

  def settings_of_server(settings)
    settings.except(*words_of_driver)
  end

  # Returns the address for clients: the given one, or that of the machine on which it was started. It has no password.
  def address_of(test_run)
    group = test_run.broker_groups.first
    group.address? ? group.place.for_driver : address_on(test_run.brokers.first)
  end

  def state_of(progress)
    STATES.fetch(progress["state"]) { ours.state_of(progress) }
  end

  def log_of(jvm)
    jvm.broker? ? LOG : ours.log_of(jvm)
  end

  def logs_of(jvm)
    [ File.basename(log_of(jvm)), "stderr.log" ]
  end

  def command?(line)
    line.in?(COMMANDS) || ours.command?(line)
  end

  def understands?(role, line)
    line.in?(OF_BOTH) || line.in?(COMMANDS) == (role == "broker")
  end

  def ask(machine, jvms, line)
    line.in?(COMMANDS) ? machine.ask(jvms, line, ours.class::COMMAND_FILE, patience: PATIENCE) :
      ours.ask(machine, jvms, line)
  end

  def advice_on(words)
    return INSTALL % packages if words.match?(/no \w+ is installed/)

    ADVICE.find { |pattern, _| words.match?(pattern) }&.last || ours.advice_on(words)
  end

  # It has no tables that the Testmaster could create, read or change.
  def making_tables(**) = nil
  def messages_left     = nil
  def questions         = nil
  def changes           = nil

  private
    def ours
      System.default
    end

    def entry
      @entry ||= YAML.safe_load(FOLDER.join(name, "system.yml").read)
    end

    # entry is a word of SETTINGS, or { key => words }, where a key of the driver has the prefix driver.
    def setting_of(entry)
      key, words = entry.is_a?(Hash) ? entry.first : [ entry, SETTINGS.fetch(entry) ]
      word = word_of_driver(entry) or return Scenario::Setting.new(key, words, whose: label)

      Scenario::Setting.new word, words, key: Catalogue.key("client.driver.#{word}"), whose: label
    end

    def words_of_driver
      entry.fetch("settings").filter_map { |it| word_of_driver(it) }
    end

    # Returns nil for a key of the server.
    def word_of_driver(entry)
      entry.is_a?(Hash) ? entry.keys.first[/\Adriver\.(.+)/, 1] : entry
    end

    def driver_jar
      "mlmq-driver-#{driver}.jar"
    end

    def address_on(jvm)
      host = jvm.machine.address
      "#{scheme}://#{USER}@#{host.include?(":") ? "[#{host}]" : host}:#{jvm.port}#{path}"
    end

    def path = ""
end
