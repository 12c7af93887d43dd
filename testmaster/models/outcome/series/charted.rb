# Defines the charts with their words and units. A line has the number of its colour; machines and JVMs keep theirs in
# all charts.
module Outcome::Series::Charted
  SHARES = { "user" => 1, "system" => 2, "steal" => 4 }
  WAITS = { "wait_lock" => "locks", "wait_lwlock" => "internal locks", "wait_io" => "disk", "wait_other" => "others" }
  COMMITS = { "commits" => "commits", "rollbacks" => "rollbacks" }
  LOCKS = { "locks_held" => "held", "locks_awaited" => "awaited" }
  ROWS = %w[ inserted updated deleted fetched ]
  SERVER = "over 10 s each"

  # The most important come first; groups of the others have a title.
  def charts
    first, *others = charts_of_machines
    [ *charts_of_load, first, *grouped("Machines", others),
      *grouped(run.system.program.pluralize.upcase_first, charts_of_jvms),
      *(grouped("Database", charts_of_database) if told?("database")) ]
      .compact.select { |chart| chart["lines"].any? { |line| line["values"].any? } }
  end

  private
    def grouped(title, charts)
      charts.map { |chart| chart.merge("group" => title) }
    end

    def charts_of_load
      [ chart("messages", "Messages", "per second", "/s",
        [ line(nil, "sent", "sent", 1), line(nil, "received", "received", 3) ]),
        chart("rate", "Throughput", "requests per second", "/s", [ line(nil, "rate", "rate", 1) ],
          limit: run.definition.limit_for("throughput")&.limit),
        chart("time", "Response time",
          "p99 of each second's responses, of the worst client JVM#{"; worst of #{step} s" if step > 1}", "us",
          [ line(nil, "p99", "p99 (1 s)", 2), line(nil, "mean", "mean", 1) ],
          limit: run.definition.limit_for("p99")&.limit),
        chart("errors", "Errors and late starts", "since the start of the load", "", [ line(nil, "late", "late", 5),
          line(nil, "errors", "errors", "bad") ]) ]
    end

    def charts_of_machines
      [ *machines.map { |machine| processor_of machine },
        chart("memory", "Memory", "in use, of all that the machine has", "%", of_machines("memory" => nil)),
        chart("network", "Network", "all interfaces, loopback too", "bytes/s",
          of_machines("net_rx" => "in", "net_tx" => "out")),
        chart("disk", "Disk", "whole disks", "bytes/s",
          of_machines("disk_read" => "read", "disk_written" => "written")) ]
    end

    def processor_of(machine)
      chart("processor_#{machine.name}", "Processor time, #{machine.name}", "of all processors", "%",
        SHARES.map { |name, colour| line("machine:#{machine.name}", name, name, colour) })
    end

    def charts_of_jvms
      [ chart("heap", "Heap", "in use", "bytes", of_jvms("heap")),
        chart("gc", "Garbage collection", "share of time", "%", of_jvms("gc")),
        chart("gcs", "Garbage collections", "per second", "/s", of_jvms("gcs")),
        chart("queue", *run.system.words_of_queue, "", of_jvms("queue")),
        *(charts_of_server unless run.system.default?) ]
    end

    # Adds charts of what the server of another system reports.
    def charts_of_server
      label = run.system.label
      [ chart("unacknowledged", "#{label}: not acknowledged yet", "by its own count", "", of_jvms("unacknowledged")),
        chart("server_cpu", "#{label}: processor time", "of all processors, of all its processes", "%", of_jvms("cpu")),
        chart("server_memory", "#{label}: memory", "what its processes have for themselves, and what they share once",
          "bytes", of_jvms("memory")),
        chart("connections", "#{label}: connections", "by its own count", "", of_jvms("connections")) ]
    end

    def charts_of_database
      [ chart("commits", "Commits", SERVER, "/s", of_database(COMMITS)),
        chart("rows", "Rows", SERVER, "/s", of_database(ROWS.index_by(&:itself))),
        chart("dead", "Dead tuples", SERVER, "", of_database("dead" => "dead tuples")),
        chart("cache", "Blocks found in memory", SERVER, "%", of_database("cache" => "hits")),
        chart("wal", "WAL", "of the whole server, #{SERVER}", "bytes/s", of_database("wal" => "written")),
        chart("waits", "Sessions that wait", "for what, #{SERVER}", "", of_database(WAITS)),
        chart("locks", "Locks", SERVER, "", of_database(LOCKS)) ]
    end

    def chart(key, title, note, unit, lines, limit: nil)
      { "key" => key, "title" => title, "note" => note, "unit" => unit, "limit" => limit,
        "lines" => lines.select { |line| line["values"].any? } }.compact
    end

    # dashed marks the second figure of the same subject.
    def line(subject, name, words, colour, dashed: false)
      { "name" => words, "colour" => colour, "dashed" => dashed, "values" => values(subject, name) }
    end

    def of_machines(figures)
      machines.each_with_index.flat_map do |machine, n|
        figures.map do |name, word|
          line "machine:#{machine.name}", name, [ machine.name, word ].compact.join(", "), colour_of(n),
            dashed: name != figures.keys.first
        end
      end
    end

    def of_jvms(name)
      jvms.each_with_index.map { |jvm, n| line "jvm:#{jvm.name}", name, jvm.name, colour_of(n), dashed: n >= 6 }
    end

    def of_database(figures)
      figures.each_with_index.map { |(name, words), n| line "database", name, words, colour_of(n) }
    end

    def colour_of(n)
      n % 6 + 1
    end
end
