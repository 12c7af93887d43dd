# What is under test, with the clients that load it. There is one object of each; it is found by its name, as broker
# groups have it. Another system, which clients reach by a driver, is a folder in systems/ (see System::Driven);
# test/models/system/contract.rb and test/support/system_run_contract.rb are the tests that
# each has to pass. A system answers:
#
#   label                               how people call it
#   sources, build_arguments            what it is built from here, by Maven
#   products                            the files that come of it: { name in a run's folder on a machine => its path }
#   packages                            what of Debian a machine of brokers needs beside Java, or nil
#   lacking(facts, roles)               what a machine lacks for JVMs of these roles, and what to do about it, or nil
#   in_database?                        whether it keeps messages in a database that the Testmaster makes for the run
#   program_of(jvm)                     how a JVM is started: command_line, files, environment_names, properties
#   mapping_of(test_run)                properties that tell every JVM where all of them are
#   template_of(role)                   what explains all settings
#   settings_of(role, scenario)         those that the form has fields for
#   longest_message(broker_groups)      bytes that its brokers take with their settings, or nil where that is not known
#   complaint_about(role, key)          why a setting is none that can be handed on, or nil
#   secret                              the environment variable by which programs get the password
#   making_tables(…)                    the words of the command that makes its tables, in a run's folder on a machine
#   messages_left, counters             what is read from its tables: at the end, and while a run goes on
#   questions, changes                  what the console asks of its tables, and what it changes in them
#   state_of(progress)                  what a line of progress says of a JVM: starting, ready, running or stopping
#   words_of_queue                      title and note of the chart of what brokers call their queue
#   broker_figures                      what brokers tell in their lines of progress, to be added up
#   requests, actions                   prefixes of actions in its logs: requests that went well; all that have a word
#   tiers                               prefixes of what a client sees, a broker does and its database does
#   times                               the file in which a client JVM keeps its response times so far, as a pattern
#   summary?(path)                      whether a file of the zip is the summary of a client JVM
#   kept_files, log_of(jvm)             what is collected beside its logs, and the log that people read
#   logs_of(jvm)                        names of the logs whose lines the page of logs shows
#   commands, command?(line)            lines that some JVM understands
#   understands?(role, line)            whether those of a role do
#   program                             what people call what runs on its machines, and description what it is
#   recorded                            what its runs record, in the words of what plots need (config/log_analyzer/)
#   ask(machine, jvms, line)            says such a line to JVMs: { "broker_0" => [ "OK", "what it said" ], … }
#   start_load(machine, jvms, at)       tells clients when to start, in ms of the machine's clock
#   shut_down(machine, jvms)            asks JVMs to end by themselves
#   chatter                             what lines of its log have that tell of no trouble
#   jar_gone?(words)                    whether an error says that its jar is not there
#   advice_on(words)                    what to do about an error, where it knows
class System
  NAMES = [ "mlmq", *Rails.root.glob("systems/*/system.yml").map { |path| path.dirname.basename.to_s }.sort ]

  class << self
    def [](name)
      const_get(name.to_s.camelize).instance if NAMES.include?(name.to_s)
    end

    def all
      NAMES.map { |name| self[name] }
    end

    # What is under test where nothing is said; its jar also has the clients.
    def default
      self[NAMES.first]
    end
  end

  include Singleton

  def name
    self.class.name.demodulize.underscore
  end
  alias to_s name

  def default?
    self == System.default
  end

  def longest_message(broker_groups)
  end

  # Kinds of analyses that its logs are enough for
  def plots
    Catalogue.plots_of(recorded)
  end

  # Scenarios of a role that can be run on it
  def scenarios(role)
    Scenario.of(role).select { |scenario| scenario.runs_on?(self) }
  end
end
