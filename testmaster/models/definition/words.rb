# Lists the words that people write in a definition, in the order in which they are shown. A word that is added here
# appears in YAML, JSON, the column of a run, the parameters of the form, errors, paths of factors and comparisons.
module Definition::Words
  # A run keeps these words in columns of its own, as they can change in every state of the run or belong to other
  # records.
  HEAD = [ Name.new("name"), Name.new("description"), List.new("tags", parameters: [ :tag_list ]),
    Name.new("provider", parameters: [ :provider_id ]) ]

  PHASES = "One on each line, such as “for: 60s, rate: 1000/s, name: before”, “for: 20s, takers: paused” or " \
    "“until: backlog = 0, at_most: 5min”"

  OF_RUN = [
    Address.new("database", plain: Definition::DatabaseChoice::KINDS, default: "embedded",
      parameters: %i[ database_kind database_url ]),
    Pairs.new("database_settings", default: {}, weighs: false,
      parameters: [ :further_database_settings_text, { database_fields: {} } ]),
    Switch.new("keep_database"),
    Name.new("revision", default: "HEAD"),
    Seconds.new("duration", least: 1, default: 60, section: :durations, label: "Load lasts",
      hint: "Warm-up and cool-down included; empty with phases", varies: true, scales: true),
    Seconds.new("warmup", least: 0, default: 0, section: :durations, label: "Warm-up",
      hint: "Excluded from every figure", varies: true, scales: true),
    Seconds.new("cooldown", least: 0, default: 0, section: :durations, label: "Cool-down", hint: "Excluded, too",
      varies: true, scales: true),
    Phases.new("load", attribute: "load_phases", section: :phases, label: "Phases", hint: PHASES),
    Seconds.new("timeout", least: 10, default: 1800, section: :durations, label: "Timeout",
      hint: "After the planned end of the load", varies: true),
    Groups.new("brokers", kind: "Definition::BrokerGroup"),
    Groups.new("clients", kind: "Definition::ClientGroup"),
    Choice.new("when_jvm_dies", choices: { "fail" => "End the run", "go_on" => "Continue without it" },
      section: :durations, label: "When a JVM dies", varies: true),
    Choice.new("jit_compiler", choices: { "c2" => "C2: fastest, after minutes",
      "c1" => "C1 alone: steady after seconds" }, section: :durations, label: "JIT compiler",
      hint: "Of MLMQ and the clients", varies: true),
    Switch.new("tls", section: :durations, label: "TLS", hint: "Between clients and brokers of MLMQ", varies: true),
    Choice.new("auth", choices: { "none" => "None", "scram" => "By password (SCRAM)",
      "certificate" => "By certificate, with TLS" }, section: :durations, label: "Sign-in",
      hint: "Of clients at brokers of MLMQ", varies: true),
    List.new("thresholds", default: []),
    List.new("abort_when", default: [])
  ]

  SYSTEM = [ Line.new("system", default: System.default.name, varies: true),
    Address.new("address", parameters: [ :shown_address ]) ]
  CLIENTS = [ Count.new("clients", attribute: "client_count", range: 1..1_000, varies: true, scales: true,
    weighs: false), Phases.new("load", attribute: "load_phases", label: "Phases of this group", hint: PHASES) ]

  MACHINES = 1..200

  # first and counted are words of groups of one role only.
  def self.of_group(first: [], counted: [], scenario: nil)
    [ *first, Line.new("name", weighs: false),
      Line.new("scenario", default: scenario, varies: true, weighs: false),
      Count.new("machines", attribute: "machine_count", range: MACHINES, varies: true),
      Count.new("jvms", attribute: "jvm_count", range: 1..100, varies: true, weighs: false, disk: true),
      *counted,
      Line.new("heap", varies: true, weighs: false), Line.new("instance_type", varies: true),
      Switch.new("profile", weighs: false), Pairs.new("settings", default: {}, weighs: false,
        parameters: [ :further_settings_text, { scenario_settings: {} } ]) ]
  end

  # Returns the word at a path of a definition, such as brokers.0.settings.workers; nil if there is none.
  def self.at(path)
    case path.split(".")
    in [ "brokers" | "clients" => groups, /\A\d+\z/, name, * ]
      OF_RUN.find { |word| word.name == groups }.kind.words.find { |word| word.name == name }
    in [ name, * ] then OF_RUN.find { |word| word.name == name }
    else nil
    end
  end
end
