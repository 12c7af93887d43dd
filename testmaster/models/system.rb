# A system under test, with its load clients. There is one object for each system; broker groups refer to it by its
# name. A system with a driver is a folder in systems/ (see System::Driven). Each system must pass the tests of
# test/models/system/contract.rb and test/support/system_run_contract.rb. A system implements:
#
#   label                               its name for people
#   sources, build_arguments            what Maven builds it from, and how
#   products                            the built files: { name in a run's folder on a machine => its path }
#   packages                            the Debian packages that a broker machine needs beside Java, or nil
#   lacking(facts, roles)               what a machine lacks for JVMs of these roles, with a remedy, or nil
#   in_database?                        whether it keeps messages in a database that the Testmaster creates for the run
#   program_of(jvm)                     how a JVM is started: command_line, files, environment_names, properties
#   mapping_of(test_run)                properties that tell every JVM the addresses of all
#   template_of(role)                   the text that explains all settings
#   settings_of(role, scenario)         the settings that are fields of the form
#   longest_message(broker_groups)      bytes that its brokers accept with their settings; nil if unknown
#   complaint_about(role, key)          why a setting cannot be passed on, or nil
#   credentials_of(test_run)            the certificates and the user of a run, see System::Mlmq::Credentials
#   secret                              the environment variable with the password for programs
#   making_tables(…)                    the command that creates its tables, in a run's folder on a machine
#   messages_left, counters             what is read from its tables: at the end, and during a run
#   questions, changes                  the queries and the changes of the console in its tables
#   state_of(progress)                  the state in a line of progress: starting, ready, running or stopping
#   words_of_queue                      title and note of the chart of the brokers' queue
#   broker_figures                      figures in the brokers' lines of progress, to be summed
#   requests, actions                   prefixes of actions in its logs: successful requests; all that have a word
#   tiers                               prefixes of the actions of a client, a broker and its database
#   times                               the file with the response times of a client JVM so far, as a pattern
#   summary?(path)                      whether a file of the zip is the summary of a client JVM
#   kept_files, log_of(jvm)             files that are collected beside the logs, and the log for people
#   logs_of(jvm)                        names of the logs whose lines the page of logs shows
#   commands, command?(line)            lines that some JVM understands
#   understands?(role, line)            whether JVMs of a role understand the line
#   program                             the name of the program on its machines; description says what it is
#   recorded                            what its runs record, in the words of what plots need (config/log_analyzer/)
#   ask(machine, jvms, line)            sends such a line to JVMs: { "broker_0" => [ "OK", "reply" ], … }
#   start_load(machine, jvms, at)       sends clients the start time, in ms of the machine's clock
#   end_phase_of_load(machine, jvms, n, at)  ends the n-th phase of clients at such a time, if it has until
#   shut_down(machine, jvms)            asks JVMs to end by themselves
#   chatter                             parts of harmless lines of its log
#   jar_gone?(words)                    whether an error says that its jar is missing
#   advice_on(words)                    a remedy for an error, if it is known
class System
  NAMES = [ "mlmq", *Rails.root.glob("systems/*/system.yml").map { |path| path.dirname.basename.to_s }.sort ]

  class << self
    def [](name)
      const_get(name.to_s.camelize).instance if NAMES.include?(name.to_s)
    end

    def all
      NAMES.map { |name| self[name] }
    end

    # The default system; its jar also contains the clients.
    def default
      self[NAMES.first]
    end
  end

  READY_WITHIN = 2.minutes.to_i

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

  def credentials_of(test_run)
    System::Mlmq::Credentials.new(test_run)
  end

  # Returns the seconds within which a JVM that has started is ready. Its clients may have been given longer to connect.
  def ready_within(jvm)
    READY_WITHIN + Duration.of_setting(jvm.properties["client.connect.within"]).to_i
  end

  # Returns the kinds of analyses for which its logs are sufficient.
  def plots
    Catalogue.plots_of(recorded)
  end

  # Returns the scenarios of a role that can run on it.
  def scenarios(role)
    Scenario.of(role).select { |scenario| scenario.runs_on?(self) }
  end
end
