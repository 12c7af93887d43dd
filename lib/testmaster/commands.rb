require_relative "command"

module Testmaster
  # Lists all commands of bin/testmaster.
  class Command
    option = ->(key, *words, help:, many: false) { Option.new(key: key, words: words, help: help, many: many) }
    json = option.(:json, "--json", help: "the response as JSON")
    wait = option.(:wait, "--wait", help: "follow it until it has ended, as watch does")

    ALL = [
      [ "run", %w[ FILE.yml ], :launch, "launch a test run",
        [ option.(:sets, "--set KEY=VALUE", many: true,
          help: "replace a value of the definition, such as clients.0.settings.rate=200/s"), wait ] ],
      [ "list", [], :list, "the latest test runs" ],
      [ "show", %w[ ID ], :show, "one test run: state, phases, figures, thresholds" ],
      [ "watch", %w[ ID ], :watch,
        "follow it until it has ended, even if server or worker are unavailable for a while" ],
      [ "cancel", %w[ ID ], :cancel, "stop it; logs so far are collected" ],
      [ "again", %w[ ID ], :again, "launch it again under its name",
        [ option.(:commit, "--commit WHICH",
          help: "measured: the commit that was measured; head, where it is not given: what its revision is now"),
          wait ] ],
      [ "command", %w[ ID TARGET LINE… ], :command, "send a line to all, brokers, clients or jvm:broker_0" ],
      [ "logs", %w[ ID ], :logs, "download its logs",
        [ option.(:out, "-o", "--out ZIP", help: "the file; test_run_ID.zip where it is not given") ] ],
      [ "lines", %w[ ID ], :lines, "what its JVMs have logged, by time; while it runs, the latest lines",
        [ option.(:q, "--words WORDS", help: "only records that have them"),
          option.(:level, "--level LEVELS", help: "such as WARNING,SEVERE"),
          option.(:jvm, "--jvm NAMES", help: "such as broker_0,client_1"),
          option.(:from, "--from TIME", help: "since the start of the load, such as 90 or 1:30"),
          option.(:to, "--to TIME", help: "the same") ] ],
      [ "console", %w[ ID PART ], :console, "what is in its database: queues, messages, clients or brokers" ],
      [ "analyze", %w[ ID ], :analyze, "make a plot of its logs and download its files",
        [ option.(:kind, "--kind KIND", help: "such as response_time or throughput"),
          option.(:action_prefix, "--type PREFIX", help: "of the actions in the logs, such as CSndReq#OK#"),
          option.(:from, "--from TIME", help: "begin of the part to look at, such as 1:30"),
          option.(:to, "--to TIME", help: "its end"),
          option.(:split, "--split KEY", help: "machine, jvm, role, status (outcome) or tier; by action without it"),
          option.(:window, "--window TIME", help: "such as 1s"),
          option.(:percentiles, "--percentiles LIST", help: "such as 2.5,50,97.5"),
          option.(:out, "-o", "--out DIR", help: "the folder; this one where it is not given") ] ],
      [ "profile", %w[ ID ], :profile, "show where its JVMs spend processor time, from their recordings",
        [ option.(:part, "--of NAME", help: "such as broker_0, broker or \"broker worker\""),
          option.(:what, "--what WHAT", help: "cpu, alloc or lock"),
          option.(:by, "--by KIND", help: "method, class or package") ] ],
      [ "compare", %w[ ID… ], :compare,
        "compare runs with the first of them; commas join repetitions of one run (1,2,3 4,5,6)",
        [ option.(:limits, "--fail-if LIMIT", many: true,
          help: "such as \"p99 > +10 %\" (a change) or \"errors > 1 %\" (a figure): exit code 3 where it is broken"),
          option.(:junit, "--junit FILE", help: "write the limits there as JUnit's XML"),
          option.(:out, "-o", "--out HTML", help: "write the report there, a page in one file") ] ],
      [ "predict", %w[ ID ], :predict, "predict the effect of other clients, brokers or workers",
        [ option.(:clients, "--clients N", help: "as many as the run had where neither they nor a rate are given"),
          option.(:rate, "--rate RATE", help: "such as 2000/s: requests that wait for no response"),
          option.(:brokers, "--brokers N", help: "in all"),
          option.(:workers, "--workers N", help: "of each broker"),
          option.(:connections, "--connections N", help: "of each broker to the database"),
          option.(:database_faster, "--database-faster F", help: "how many times as fast; cannot be launched"),
          option.(:csv, "--csv FILE", help: "write its curve there, with intervals"),
          option.(:launch, "--launch", help: "launch the run that checks it"),
          option.(:wait, "--wait", help: "follow that run: exit code 3 where it is outside the interval") ] ],
      [ "experiment", %w[ FILE.yml ], :experiment, "launch an experiment: a family of runs over levels of factors",
        [ option.(:sets, "--set KEY=VALUE", many: true,
          help: "replace a value of the definition, such as scale=0.1 or experiment.repetitions=5"),
          option.(:plan, "--plan", help: "print the table of runs, its time and cost, and launch nothing"), wait ] ],
      [ "experiments", [], :experiments, "the latest experiments" ],
      [ "results", %w[ ID ], :results, "points of an experiment with their intervals, and effects",
        [ option.(:sort, "--sort FIGURE", help: "such as p99; the largest first with a - before it"),
          option.(:csv, "--csv FILE", help: "write the table of its runs there"),
          option.(:out, "-o", "--out HTML", help: "write the report there, a page in one file") ] ],
      [ "steer", %w[ ID ACTION… ], :steer,
        "an experiment: pause, resume, cancel, repeat N, levels FACTOR VALUES, skip, unskip or rerun POINT" ],
      [ "export", %w[ ID ], :export, "its definition as YAML",
        [ option.(:experiment, "--experiment", help: "of an experiment, not of a run") ] ],
      [ "machines", [], :machines, "machines allocated now",
        [ option.(:sweep, "--sweep", help: "release orphaned machines"),
          option.(:normals, "--normals", help: "what hosts and types of rented machines usually can do"),
          option.(:forget, "--forget MACHINE", help: "the normal of one that was changed on purpose, such as " \
            "10.0.0.5, or PROVIDER/10.0.0.5") ] ]
    ].to_h do |name, arguments, action, help, options|
      [ name, new(name: name, arguments: arguments, action: action, help: help, options: [ *options, json ]) ]
    end
  end
end
