require "test_helpers/zipped_logs"
require "zip"

# Every page in every state that it can have, made from the fixtures, for tests and tools that visit all pages.
class Gallery
  include Rails.application.routes.url_helpers, MessageDatabaseHelper, ZippedLogs

  cattr_accessor :address_of_messages # made once

  PHASES = { "before" => 20, "outage" => 900, "drain" => 45 }.map do |name, left|
    { "phase" => name, "begin" => 10.0, "seconds" => 30.0, "throughput" => 335, "sent" => 170.2, "received" => 164.6,
      "mean" => 1_010, "p99" => 21_000, "e2e_p99" => (27_300 if left < 900), "errors" => 0, "backlog" => 4_120,
      "left" => left, "drain" => (6_200_000 if left == 900), "recovery" => nil }
  end
  EXAMINED = {
    "examined" => true, "seconds" => 90, "rate" => { "value" => 335, "low" => 330, "high" => 340 },
    "spark" => [ 3, 4, 5, 4 ],
    "exact" => { "p50" => 990, "p95" => 5_500, "p99" => 21_000, "max" => 40_000, "mean" => 1_000, "count" => 30_150,
      "sent" => 170.2, "sent_low" => 165.9, "sent_high" => 174.1, "received" => 164.6, "empty_takes" => 25.2,
      "e2e_p50" => 1_900, "e2e_p50_low" => 1_800, "e2e_p50_high" => 2_100, "e2e_p99" => 27_300, "backlog" => 4_120,
      "drain" => 6_200_000, "recovery" => 1_000_000 },
    "ok" => 30_150, "errors" => 0, "late" => 12, "phases" => PHASES,
    "checks" => [ { "verdict" => "good", "check" => "Every JVM lived to the end", "reason" => "4 of 4" } ]
  }
  BY_TWO_CLOCKS = EXAMINED.merge("exact" => EXAMINED["exact"].except("e2e_p50").merge("e2e_p99_clock_error" => 2_300,
    "untold" => { "e2e_p50" => "the clocks of the clients' machines are known less exactly than this time" }))
  FAILING = EXAMINED.merge("errors" => 600, "exact" => EXAMINED["exact"].except("p99", "e2e_p99")
    .merge("at_least" => { "p99" => 1_000_000, "e2e_p99" => 1_200_000 }))
  OPERATIONS = %w[ dequeueMessage dequeueMessage:empty sendMessage ].index_with do
    { "throughput" => 167.5, "mean" => 1_010, "stddev" => 620, "p50" => 990, "p99" => 21_000 }
  end
  STAGES = [ [ "network and client", 310 ], [ "request queue", 220 ], [ "worker", 90 ], [ "database: batch", 390 ] ]
  LOG = 300.times.map { |line| "[INFO] line #{line}, wider than a narrow page #{"." * 80}" }.join("\n")
  DUMP = <<~LOG
    2013-11-05T20:55:20.971Z INFO command-file stack traces of 3 threads
    main RUNNABLE
    worker-0 WAITING
        at java.lang.Object.wait(Object.java:1)
    worker-1 WAITING
        at java.lang.Object.wait(Object.java:1)
  LOG
  REJECTED = { "verdict" => "rejected", "check" => "Steady state", "reason" => "the mean falls by 30 %" }
  DISTURBED = [ { "verdict" => "rejected", "check" => "Late starts", "reason" => "20,588 requests, 61.27 %, of them " \
    "1,837 by the clients themselves (in the worst JVM 5.66 %); the load was not as planned" }, REJECTED,
    { "verdict" => "warning", "check" => "Other programs", "reason" => "they took 71 % of the processors of local " \
      "(cc1plus 60 %)" }, { "verdict" => "unknown", "check" => "Clocks agree", "reason" => "not measured" } ]

  DRAWN_EFFECTS = <<~SVG
    <svg xmlns="http://www.w3.org/2000/svg" width="720" height="140" font-family="sans-serif" font-size="13">
      <text x="110" y="42" text-anchor="end">workers</text><rect x="160" y="25" width="390" height="26" fill="#0f6cb0"/>
      <path d="M438 38h226" stroke="#444"/><text x="110" y="92" text-anchor="end">db.connections</text>
      <rect x="160" y="75" width="6" height="26" fill="#999"/><path d="M132 88h62" stroke="#444"/>
      <text x="160" y="132">effect on throughput [1/s], 95 % interval</text>
    </svg>
  SVG

  # Maps each picture of docs/guide to its page, or to a part of one.
  GUIDE = { "new_run" => "form, new", "run" => "run, running", "verdict" => "run, not accepted",
    "comparison" => "comparison, completed", "experiment" => "experiment, finished", "what_if" => "what if, completed",
    "what_if_checked" => [ "what if, checked", "section[aria-labelledby=check-title]" ] }

  # @return { "finished, accepted" => "/test_runs/1", … }, each page once
  def pages
    runs.merge logs, forms, lists, comparisons, experiments, consoles, profiles, predictions, settings
  end

  private
    def runs
      states = TestRun::Phase::NAMES.without("running").to_h { |phase| [ phase, copy("running", state: phase) ] }
      states.merge!(
        "running" => run("running"), "cancelling" => copy("running", cancelled_at: 1.second.ago),
        "accepted" => ended(EXAMINED),
        "not accepted" => ended(EXAMINED.merge("checks" => EXAMINED["checks"] + DISTURBED)),
        "left its normal" => left_its_normal, "threshold broken" => ended(EXAMINED, thresholds: [ "p99 < 5 ms" ]),
        "being examined" => ended({}),
        "messages by two clocks" => ended(BY_TWO_CLOCKS),
        "p99 among failed requests" => ended(FAILING, thresholds: [ "p99 < 500 ms" ]),
        "unattended for a while" => unattended,
        "cannot be told" => ended({ "examined" => true, "not_examined" => "the log analyzer was killed" }),
        "plots in every state" => plots, "of another system" => of_another_system, "failed" => run("failed"),
        "cancelled" => copy("failed", state: "cancelled", error: nil, failed_phase: nil)
      )
      { **states.to_h { |state, run| [ "run, #{state}", test_run_path(run) ] },
        "run, charts" => test_run_charts_path(states["accepted"]),
        "run, charts without load" => test_run_charts_path(states["failed"]),
        "run, plots in every state" => test_run_charts_path(states["plots in every state"]),
        "run, definition" => test_run_definition_path(states["accepted"]) }
    end

    # Its machine was calibrated by six runs before, and another one by none.
    def left_its_normal
      checks = EXAMINED["checks"] + [ { "verdict" => "rejected", "check" => "Machines in their normal",
        "reason" => "a flush of the disk took 5.1 ms on local, normal is 1.2 ms (0.9 to 1.6 ms in 6 calibrations)" } ]
      usual = { provider: Provider::Local.default, site: "127.0.0.1", folder: "run", processor: 2_400 }
      [ 1_100, 1_200, 1_600, 900, 1_200, 1_300 ].each { |us| Machine::Calibration.create! flush: us, **usual }
      ended(EXAMINED.merge("checks" => checks)).tap do |run|
        run.machines.first.create_calibration! flush: 5_100, **usual
        run.machines.create!(name: "clients_0_0", role: "client", host: "10.0.0.17", provider: run.provider)
          .create_calibration! usual.merge(site: "10.0.0.17", peer: "127.0.0.1", flush: 187, processor: 2_390,
            round_trip: 143, network: 1.17e8, gaps: [ "Network: nothing listens at 10.0.0.18:20417" ])
      end
    end

    def unattended
      copy("running").tap do |run|
        run.events.create! name: "unattended", message: "No worker attended to this run for 12s", phase: "running",
          details: { since: (run.load_starts_at + 24).iso8601(3) }, created_at: run.load_starts_at + 36
      end
    end

    def plots
      ended(EXAMINED).tap do |run|
        { "pending" => {}, "processing" => { step: "Reading the logs" }, "cancelled" => {},
          "failed" => { error: "There is no gnuplot on this machine." } }.each do |state, changes|
          run.analyses.create! kind: "cdf", state: state, **changes
        end
      end
    end

    def of_another_system
      copy("running").tap do |run|
        change(run) { |it| it.broker_groups.sole.assign_attributes system: "rabbitmq", settings: { queue: "quorum" } }
        told = { state: "ready", version: "RabbitMQ 3.10.8", cpu: 12.5, memory: 140e6, queue: 17, connections: 32,
          rate: 400 }
        Jvm.broker.where(machine: run.machines).update_all progress: told, last_line: told.to_json
      end
    end

    def logs
      read, lost, early = ended(EXAMINED), run("failed"), copy("running", state: "deploying")
      early.jvms.update_all state: "pending"
      attach_zip read, "broker_0/broker_0.log" => DUMP, "client_0/client_0.log" =>
        "2013-11-05T20:55:21.000Z SEVERE io-0 it is lost\n"
      { "logs" => test_run_logs_path(read), "logs, searched" => test_run_logs_path(read, q: "lost", level: "SEVERE"),
        "logs, none found" => test_run_logs_path(read, q: "nothing"), "logs, lost" => test_run_logs_path(lost),
        "logs, not yet" => test_run_logs_path(early), "log" => test_run_log_path(read, "broker_0") }
    end

    def forms
      too_large = copy("draft", duration: 24.hours.to_i)
      change(too_large) { |it| it.client_groups.sole.settings = { "rate" => "90000/s" } }
      { "form, new" => new_test_run_path, "form, draft" => edit_test_run_path(run("draft")),
        "form, from an example" => new_test_run_path(example: "first_look"),
        "form, unfolded" => edit_test_run_path(copy("draft", tls: true, auth: "scram")
          .tap { |draft| change(draft) { |it|
            it.client_groups.sole.scenario, it.client_groups.sole.settings = "Mix", { "batch.send" => "10" } } }),
        "form, no room" => edit_test_run_path(too_large),
        "form, C1 for long" => edit_test_run_path(copy("draft", duration: 3.hours.to_i, jit_compiler: "c1")),
        "import" => new_definition_path, "help" => glossary_path }
    end

    def lists
      builds = %w[ pending failed ].map { |state| Build.create! commit_sha: SecureRandom.hex(20), revision: "main",
        tree: SecureRandom.hex(20), state: state, log: LOG, error: ("javac failed" if state == "failed") }
      { "runs" => test_runs_path, "runs, none found" => test_runs_path(q: "nothing"), "machines" => machines_path,
        "builds" => builds_path, "build, completed" => build_path(Build.find_by!(state: "completed")),
        **builds.to_h { |build| [ "build, #{build.state}", build_path(build) ] } }
    end

    CHANGE = { "value" => 7_000, "low" => 6_000, "high" => 8_000, "difference" => 2_000, "percent" => 40.0,
      "percent_low" => 20.0, "percent_high" => 60.0, "verdict" => "worse" }
    RESULTS = { "runs" => { "A" => [ { "id" => 1 } ], "B" => [ { "id" => 2, "from" => 0, "to" => 60.0 } ] },
      "differs" => [ { "part" => "definition", "group" => "Brokers", "name" => "workers",
        "values" => { "A" => "8", "B" => nil } } ], "same" => 30,
      "warnings" => [ "The sides ran on different hardware." ],
      "figures" => [ { "figure" => "p99", "unit" => "us",
        "sides" => { "A" => { "value" => 5_000, "low" => 4_000, "high" => 6_000 }, "B" => CHANGE } },
        { "figure" => "p95", "unit" => "us", "sides" => { "A" => { "value" => 4_000, "low" => nil, "high" => nil },
          "B" => { "value" => nil, "low" => 4_000, "high" => nil, "at_least" => 1_000_000, "percent" => nil,
            "verdict" => "no interval", "reason" => "among requests that failed" } } },
        { "figure" => "backlog", "unit" => "messages", "sides" => {
          "A" => { "value" => 4_120, "low" => nil, "high" => nil },
          "B" => CHANGE.merge("value" => 6_000, "difference" => 1_880, "percent" => 45.6) } },
        { "figure" => "under_way", "unit" => "requests", "sides" => {
          "A" => { "value" => 3.9, "low" => 3.8, "high" => 4.0 },
          "B" => CHANGE.merge("value" => 7.8, "low" => 7.6, "high" => 8.0, "difference" => 3.9, "percent" => 100.0,
            "verdict" => "more") } },
        { "figure" => "drain", "unit" => "us", "sides" => {
          "A" => { "value" => 6_200_000, "low" => nil, "high" => nil },
          "B" => { "value" => nil, "low" => nil, "high" => nil, "at_least" => 9_000_000, "percent" => nil,
            "verdict" => "no interval", "reason" => "not drained by the end" } } },
        { "figure" => "mean", "unit" => "us", "sides" => { "A" => { "value" => 1_000, "low" => nil, "high" => nil },
          "B" => { "value" => 1_050, "low" => nil, "high" => nil, "difference" => 50, "percent" => 5.0,
            "verdict" => "no interval", "reason" => "the measurement interval is too short for batches" } } } ],
      "profiles" => { "B" => [
        { "method" => "org.example.Outbox.flush", "baseline" => 15.3, "share" => 24.9, "difference" => 9.6,
          "low" => 7.1, "high" => 12.0, "verdict" => "more" },
        { "method" => "org.example.Inbox.read", "baseline" => 9.9, "share" => 9.6, "difference" => -0.3, "low" => -1.4,
          "high" => 0.9, "verdict" => "within noise" } ] },
      "limits" => [ { "side" => "B", "limit" => "p99 > +10 %", "broken" => "B: p99 is 7 ms" } ] }

    def comparisons
      runs = Array.new(2) { ended(EXAMINED, description: "# Why\n\n- `one`\n\n| a | b |\n|---|---|\n| 1 | 2 |") }
      Baseline.mark runs.first, "name", runs.first.name
      states = { "pending" => {}, "processing" => { step: "Reading the logs of 2 runs" }, "cancelled" => {},
        "failed" => { error: "Run 5 has no logs." }, "completed" => { results: RESULTS, completed_at: Time.current } }
      made = states.to_h do |state, changes|
        [ state, Comparison.create!(sides: runs.map(&:id), creator: runs.first.creator, state: state, **changes) ]
      end
      made["completed"].pictures.attach io: StringIO.new("<svg xmlns='http://www.w3.org/2000/svg'/>"),
        filename: "throughput.light.svg", content_type: "image/svg+xml", identify: false
      { **made.to_h { |state, comparison| [ "comparison, #{state}", comparison_path(comparison) ] },
        "comparisons" => comparisons_path, "comparison, new" => new_comparison_path(test_run_id: runs.first),
        "run with notes" => test_run_path(runs.first), "run again" => new_test_run_duplicate_path(runs.first),
        "notes" => edit_test_run_notes_path(runs.first),
        "delete runs" => new_deletion_path(test_run_ids: runs.map(&:id)) }
    end

    EFFECTS = [ { "name" => "workers", "effect" => 12.5, "low" => 9.1, "high" => 15.9, "share" => 0.81 },
      { "name" => "db.connections", "effect" => -1.2, "low" => -4.0, "high" => 1.6, "share" => 0.042,
        "within_noise" => true } ]

    BESIDE = { "response" => "throughput [1/s]",
      "other" => { "response" => "mean [ms]", "effects" => [
        { "name" => "workers", "effect" => -0.21, "share" => 0.62 },
        { "name" => "db.connections", "effect" => 0.03, "share" => 0.02, "within_noise" => true } ] },
      "signs" => { "terms" => [ "workers", "db.connections" ], "points" => [ { "point" => 1, "signs" => [ -1, -1 ] },
        { "point" => 2, "signs" => [ -1, 1 ] }, { "point" => 3, "signs" => [ 1, -1 ] },
        { "point" => 4, "signs" => [ 1, 1 ] } ] } }

    AT_ONE_SPEED = { "power" => -1.2, "low" => -1.5, "high" => -0.9, "work [us]" => 3_600.0, "points" => [
      { "point" => 3, "levels" => { "workers" => 4, "db.connections" => 2 }, "mean" => 812.0, "low" => 790.0,
        "high" => 834.0 } ] }

    def experiments
      made = { "draft" => "draft", "running" => "running", "failed" => "failed", "finished" => "finished" }
        .transform_values { |state| experiment_in(state) }
      made["failed"].update! error: "The build failed: Broker.java:[3,4] cannot find symbol"
      made["finished"].points.last.skip
      evaluation = made["finished"].create_evaluation!(state: "completed", runs: 3, response: "throughput",
        results: { "effects" => EFFECTS, "at_one_speed" => AT_ONE_SPEED, **BESIDE }, completed_at: Time.current)
      evaluation.pictures.attach io: StringIO.new(DRAWN_EFFECTS),
        filename: "effects.light.svg", content_type: "image/svg+xml", identify: false
      { "experiments" => experiments_path, "experiment, new" => new_experiment_path,
        "experiment, draft" => edit_experiment_path(made["draft"]),
        **made.except("draft").to_h { |state, it| [ "experiment, #{state}", experiment_path(it) ] },
        "experiment, point" => experiment_point_path(made["running"], 1),
        "experiment, search" => experiment_path(search),
        "experiment, search, point" => experiment_point_path(search, 2) }
    end

    # Makes an active search by steps.
    def search
      @search ||= Experiment.from_definition(TestRunParams::STARTING_POINT.merge("name" => "Highest rate",
        "experiment" => { "find" => { "rate" => "100/s..800/s", "until" => [ "p99 < 50 ms" ] } })).tap do |made|
        made.assign_attributes state: "running", creator: run("running").creator, launched_at: 1.minute.ago
        made.save!
        part = made.run_of_steps.tap { |it| it.update! experiment: made, attempt: 1, state: "running",
          launched_at: 1.minute.ago, load_starts_at: 1.minute.ago }
        try_levels made, part
      end
    end

    def try_levels(made, part)
      [ 12.3, 97.5, nil ].each do |p99|
        point, repetition = made.reload.search.next_try
        tried = part.tries.create! point: point, repetition: repetition, measured_from: 40.seconds.ago,
          measured_to: 20.seconds.ago
        figures = { "throughput" => point.levels.values.sole.to_f, "p99" => p99, "errors" => 0.0 }
        tried.judge(figures, made.search.conditions, state: "judged") if p99
      end
    end

    def experiment_in(state)
      factors = { "workers" => [ 2, 4 ], "db.connections" => [ 2, 8 ] }.map do |name, levels|
        { "name" => name, "path" => "brokers.0.settings.#{name}", "levels" => levels }
      end
      made = Experiment.from_definition(TestRunParams::STARTING_POINT.merge("name" => "Workers and connections",
        "experiment" => { "design" => "2k", "factors" => factors, "repetitions" => 2, "seed" => 1 }))
      made.assign_attributes state: state, creator: run("running").creator, launched_at: 1.minute.ago
      made.ended_at = Time.current if made.ended?
      made.save!
      make_runs made unless state == "draft"
      made.reload
    end

    def make_runs(made)
      [ [ 0, 1, 300 ], [ 0, 2, 340 ], [ 1, 1, 420 ], [ 2, 1, nil ] ].each do |n, repetition, rate|
        checks = rate ? EXAMINED["checks"] : [ REJECTED ]
        part = ended(EXAMINED.merge("rate" => { "value" => rate || 5 }, "checks" => checks,
          "exact" => EXAMINED["exact"].merge("throughput" => rate || 5).except("drain", "backlog"),
          "operations" => OPERATIONS, "stages" => STAGES))
        part.update! experiment: made, point: made.points[n], repetition: repetition, attempt: 1
        # A model can predict only clients that wait for their responses.
        change(part) { |it| it.client_groups.sole.then { |group| group.settings = group.settings.except("rate") } }
      end
    end

    def consoles
      self.address_of_messages ||= make_messages
      lab = MessageDatabase.find_or_create_by!(name: "Lab") { |it| it.address = address_of_messages }
      away = MessageDatabase.find_or_initialize_by(name: "Away") { |it| it.address = "postgresql://u:p@127.0.0.1:1/x" }
      away.save! validate: false
      look = lab.console.look(queues: lab.console.questions.queues(kind: "dead"),
        messages: lab.console.questions.messages({ sender: "client1" }))
      dead = look[:queues].row["id"]
      lab.queue_changes.create! kind: "emptying", queue_id: dead, done: 120, state: "working", who: "ada@example.org"
      { "console" => message_databases_path, "console, overview" => message_database_console_path(lab),
        "console, away" => message_database_console_path(away), "console, gone" => test_run_console_path(run("failed")),
        "console, queues" => message_database_console_queues_path(lab),
        "console, queue" => message_database_console_queue_path(lab, dead),
        "console, messages" => message_database_console_messages_path(lab),
        "console, message" =>
          message_database_console_message_path(lab, Console::Position.of(look[:messages].row), as: "hex"),
        "console, topics" => message_database_console_topics_path(lab),
        "console, topic" => message_database_console_topic_path(lab, 1),
        "console, clients" => message_database_console_clients_path(lab),
        "console, brokers" => message_database_console_brokers_path(lab),
        "message database" => new_settings_message_database_path }
    end

    def make_messages
      inside = make_message_database("#{ApplicationRecord.connection_db_config.database}_console")
      inside.exec "CALL fill(3, 300, 20, 100)"
      inside.exec "INSERT INTO broker (name, heartbeat, tables) SELECT '10.0.0.1:8100', 7, version FROM schema_version"
      inside.exec "UPDATE client SET broker_id = (SELECT id FROM broker) WHERE id % 2 = 0"
      inside.exec "UPDATE message SET queue_id = dead_letter_queue(queue_id) WHERE id % 9 = 0"
      inside.exec "UPDATE message SET sender_id = (SELECT id FROM client WHERE name = 'client1') WHERE id % 2 = 0"
      inside.exec "INSERT INTO queue_limit " \
        "SELECT id, 500, 1 << 26, true, 604800000, 5, 1500, 60000 FROM queue WHERE dead"
      inside.exec "INSERT INTO topic (name, account) VALUES ('prices', 'ada'), ('news', '')"
      inside.exec "SELECT subscribe(1, n, f, c, '', 10, 10000, 0) FROM (VALUES ('all', '', 0), ('low', 'p < 5', 0), " \
        "('mine', 'symbol IN (''UBSG'', ''NESN'') AND price BETWEEN 5 AND 500 OR urgent', 1)) v(n, f, c)"
      inside.exec "UPDATE queue_length l SET messages = (SELECT count(*) FROM message m WHERE m.queue_id = l.queue_id)"
      Minitest.after_run { drop_message_databases }
      address_of inside
    end

    BARS = [ [ 0, 0, 100, "thread", "all" ], [ 0, 1, 60, "thread", "broker worker" ],
      [ 60, 1, 40, "thread", "broker io" ],
      [ 0, 2, 60, "own", "Worker.run" ], [ 0, 3, 35, "library", "PgPreparedStatement.executeBatch" ],
      [ 60, 2, 38, "own", "IoAgent.run" ], [ 60, 3, 20, "jdk", "SocketChannelImpl.write" ] ]
    SHARES = [ [ "ch.ethz.mlmq.broker.Worker.run", 35.2 ], [ "sun.nio.ch.SocketChannelImpl.write", 20.1 ],
      [ "org.postgresql.jdbc.PgPreparedStatement.executeBatch", 4.0 ] ].map do |name, share|
        { "name" => name, "samples" => (share * 20).round, "share" => share, "low" => share - 2, "high" => share + 2,
          "with_called" => share + 10 }
      end

    def profiles
      states = { "pending" => {}, "processing" => { step: "Reading the recordings" }, "cancelled" => {},
        "failed" => { error: "There is no recording in logs.zip." }, "completed" => { parts: parts_of_profile } }
      made = states.to_h do |state, changes|
        run = ended(EXAMINED)
        change(run) { |it| it.broker_groups.sole.profile = true }
        [ state, run.create_profile!(state: state, **changes) ]
      end
      made["completed"].contents.attach io: StringIO.new(contents_of_profile), filename: "profile.zip"
      { **made.to_h { |state, profile| [ "profile, #{state}", test_run_profile_path(profile.test_run) ] },
        "profile, nothing sampled" => test_run_profile_path(made["completed"].test_run, what: "lock"),
        "profile, none" => test_run_profile_path(ended(EXAMINED)) }
    end

    def parts_of_profile
      { "from_ms" => 1_795_351_984_684, "to_ms" => 1_795_351_991_684,
        "notes" => [ "logs/m1/client_0/profile.jfr cannot be read to its end: it is cut off" ],
        "jvms" => [ { "name" => "broker_0", "user" => 24.3, "from_ms" => 1_795_351_985_000,
          "to_ms" => 1_795_351_991_500, "system" => 12.1 } ],
        "parts" => [ %w[ all all All\ JVMs ], %w[ role_broker role broker ], %w[ tier_0 tier broker\ worker ] ]
          .map { |key, kind, name| { key:, kind:, name:, cpu: 2_000, alloc: 90, lock: 0 }.stringify_keys } }
    end

    def contents_of_profile
      tables = { "samples" => 2_000, "weight" => 2_000, "unit" => "samples", "method" => SHARES, "class" => SHARES,
        "package" => SHARES }
      bars = BARS.map do |x, row, width, kind, name|
        %(<svg x="#{x}%" y="#{row * 20}" width="#{width}%" height="20" class="#{kind}">) +
          %(<title>#{name}: #{width} %</title><rect width="100%" height="100%"/><text x="4" y="14">#{name}</text></svg>)
      end
      graph = %(<svg class="flame" width="100%" height="80" role="img"><title>Flame graph</title>#{bars.join}</svg>)
      Zip::OutputStream.write_buffer do |zip|
        { "all.cpu.svg" => graph, "all.cpu.json" => tables.to_json,
          "all.alloc.json" => tables.merge("unit" => "bytes").to_json }.each do |name, text|
          zip.put_next_entry name
          zip.write text
        end
      end.string
    end

    PREDICTED = { "clients" => 60, "throughput" => { "value" => 8_460.0, "low" => 8_120.0, "high" => 8_810.0 },
      "response_ms" => { "value" => 7.1, "low" => 6.8, "high" => 7.4 }, "measured" => false }
    ANSWER = { "run" => { "clients" => 30 }, "confidence" => 0.95, "answer" => PREDICTED, "as_it_was" => PREDICTED,
      "not_measured" => [ "2 brokers instead of 1" ], "measured_to" => 30, "capacity" => 9_000.0,
      "knee_clients" => 14.2,
      "binds" => { "station" => "workers", "capacity" => 9_000.0 },
      "next" => { "station" => "connections", "capacity" => 22_000.0 }, "remarks" => [ "Its 8 workers bind." ],
      "stations" => [ { "name" => "clients", "demand_ms" => 0.0, "requests" => 0.0 },
        { "name" => "workers", "servers" => 8, "demand_ms" => 0.89, "binds" => true, "measured_utilisation" => 0.7,
          "utilisation" => { "value" => 0.94, "low" => 0.9, "high" => 0.98 } } ],
      "not_explained" => "The model does not explain this run: it expects 6,000 /s, 22 % off what was measured.",
      "batch_not_told" => "Not told by this run: what one more request in a batch costs, 0 to 12 us.",
      "processors_short" => "Processors may be short: 69 % busy in the run, they would be 140 % at 8,460 /s.",
      "batch" => { "fixed_us" => { "value" => 450.2, "low" => 440.0, "high" => 461.0 },
        "each_us" => { "value" => 4.1, "low" => 0.0, "high" => 12.0 }, "most" => 512 },
      "calibration" => { "predicted" => 4_900.0, "measured" => 4_900.0, "error_percent" => 0.0,
        "response_ms" => { "predicted" => 6.1, "measured" => 6.1, "error_percent" => 0.0 },
        "before_fit" => { "error_percent" => 22.0, "response_error_percent" => -19.0 } } }

    def predictions
      run = ended(EXAMINED)
      check = ended(EXAMINED.merge("exact" => EXAMINED["exact"].merge("throughput" => 8_310.0, "mean" => 7_200)))
      change(run) { |it| it.client_groups.sole.settings = {} }
      states = { "pending" => {}, "processing" => { step: "Fitting the model to the logs" }, "cancelled" => {},
        "failed" => { error: "There is no BProcReq in the measurement interval." }, "completed" => { answer: ANSWER },
        "checked" => { answer: ANSWER.except(*Prediction::DOUBTS), check_run: check } }
      made = states.to_h do |state, changes|
        [ state, run.predictions.create!(state: state == "checked" ? "completed" : state, clients: 60, brokers: 2,
          **changes) ]
      end
      Prediction::PICTURES.product(%w[ light dark ]).each do |name, theme|
        made["completed"].pictures.attach io: StringIO.new(DRAWN_EFFECTS), filename: "#{name}.#{theme}.svg",
          content_type: "image/svg+xml", identify: false
      end
      { **made.to_h { |state, it| [ "what if, #{state}", test_run_prediction_path(run, it) ] },
        "what if" => test_run_predictions_path(run),
        "what if, no model" => test_run_predictions_path(run("failed")) }
    end

    def settings
      account = User.find_by!(role: "administrator")
      webhook = account.webhook || account.create_webhook!(url: "https://example.org/hook")
      webhook.deliveries.create! body: { event: "test" }.to_json, attempts: 1, status: 503, answer: "busy",
        next_attempt_at: 1.minute.from_now
      Chore.all_made.each_with_index do |chore, n|
        chore.update! bytes: n * 7_345_678, measured_at: 3.hours.ago, performed_at: 3.hours.ago, removed: n * 1_204,
          freed: (n * 2_345_678 if n > 5), unfinished: n == 2,
          error: ("Permission denied - log/production.log: let the account of the worker write there" if n == 6)
      end
      { "settings" => settings_path, **%w[ tokens webhook people providers databases disk ].to_h { |section|
        [ "settings, #{section}", settings_section_path(section) ] },
        "second factor" => new_settings_factor_path,
        "provider, SSH" => new_settings_provider_path(kind: "ssh"),
        "provider, EC2" => new_settings_provider_path(kind: "ec2"), "audit log" => audit_entries_path,
        "not found" => "/404.html", "not readable" => "/400.html", "internal error" => "/500.html" }
    end

    def run(state)
      TestRun.order(:created_at).find_by!(state: state)
    end

    # Figures are set after the end of the run, as the end replaces them with those of the samples.
    def ended(figures, **changes)
      copy("finished", **changes).tap do |run|
        run.steps = TestRun.find_by!(state: "running").steps.map(&:dup)
        run.archive.attach io: StringIO.new(Zip::OutputStream.write_buffer { |_| }.string), filename: "logs.zip"
        run.update! figures: figures
      end
    end

    def change(run)
      yield run
      run.save! validate: false
    end

    # Copies the run with its groups, machines, JVMs, events and samples.
    def copy(state, **changes)
      original = run(state)
      original.dup.tap do |run|
        run.assign_attributes name: "#{original.name} again", **changes
        run.save! validate: false
        run.events = original.events.map(&:dup)
        run.samples = original.samples.map(&:dup)
        run.steps = original.steps.map(&:dup)
        take_readings run if run.load_starts_at
        copy_machines original, run
      end
    end

    def take_readings(run)
      book = TestRun::Reading::Book.new(run)
      20.times do |second|
        book.add "machine:local", { "user" => 30 + second, "system" => 9, "steal" => 0, "net_rx" => 2**20 },
          second..second
        book.add "jvm:broker_0", { "heap" => 10**7 * second, "gc" => second % 3 }, second..second
        book.add "database", { "commits" => 400, "cache" => 99.5, "wal" => 10**6 }, second..second
      end
      book.save
    end

    def copy_machines(original, run)
      original.machines.each do |machine|
        run.machines << twin = machine.dup
        machine.jvms.each do |jvm|
          twin.jvms << jvm.dup
        end
      end
    end
end
