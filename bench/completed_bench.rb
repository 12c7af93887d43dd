# Measures completed messages: workers receive messages under delivery at least once, work, and acknowledge them.
module CompletedBench
  WORKERS = 32
  BURST = 30_000

  # The table says when a message that is not acknowledged is delivered again.
  GUARANTEES = {
    "mlmq"             => "at least once, lease of 30 s, acknowledgement committed",
    "rabbitmq"         => "at least once, until the connection ends, basic.get, basic.ack sent without confirmation",
    "rabbitmq_consume" => "at least once, until the connection ends, pushed with a prefetch of two batches and at " \
      "least 10, basic.ack sent without confirmation",
    "activemq"         => "at least once, until the connection ends, pulled, individual acknowledgement sent without " \
      "confirmation",
    "table"            => "at least once, row locked by an open transaction, DELETE committed",
    "pgmq_archive"     => "at least once, visibility time of 30 s, archive committed",
    "pgmq_delete"      => "at least once, visibility time of 30 s, delete committed"
  }

  COSTS = { cpu: "processor us/message", wal: "bytes of WAL/message", dead: "dead row versions/message" }
  DATABASES = { mlmq: "mlmq", table: "queues" }

  # A session of PostgreSQL that is idle reports what it has counted after 10 s.
  STATISTICS_SECONDS = 11
  LINE_BYTES = "received;000010000002;1700000000000\n".bytesize
  MOST_MESSAGES = 5_000_000

  def completed
    names = @quick ? completing - [ "pgmq_delete" ] : completing
    names.each { |name| puts "guarantee #{name}: #{GUARANTEES.fetch(name)}" }
    compare_bursts names
    compare_completed names, "work_1ms", work: "1ms", costs: true
    (@quick ? [ 1, 100 ] : [ 1, 8, 100 ]).each { |batch| compare_completed names, "batch#{batch}", batch: }
  end

  private
    def completing = @all & GUARANTEES.keys
    def completed_rounds = Bench::Rounds.new(@quick ? 1 : @rounds)

    def compare_completed(names, part, **options)
      rounds = completed_rounds
      figures = {}
      names.each do |name|
        rounds.add("#{name}_completed_#{part}", "messages/s") do
          (figures[name] = completed_in_full_queues(name, **options))[:completed]
        end
        costs = options[:costs] ? COSTS.first(database_of(name) ? 3 : 1) : []
        costs.each { |cost, unit| rounds.add("#{name}_#{cost}_#{part}", unit) { figures[name][cost] } }
      end
      rounds.run
      (names - [ "mlmq" ]).each do |name|
        next unless names.include?("mlmq")
        rounds.ratio("mlmq_vs_#{name}_completed_#{part}", "mlmq_completed_#{part}", "#{name}_completed_#{part}")
      end
    end

    # A ratio of bursts says how many times as long the other system takes.
    def compare_bursts(names)
      rounds = completed_rounds
      names.each { |name| rounds.add("#{name}_burst", "s for #{BURST} messages") { burst_seconds(name) } }
      rounds.run
      (names - [ "mlmq" ]).each do |name|
        rounds.ratio("mlmq_vs_#{name}_burst", "#{name}_burst", "mlmq_burst") if names.include?("mlmq")
      end
    end

    # The queues are filled up before. If a quarter or less is left at the end, the round is repeated with more
    # messages.
    def completed_in_full_queues(name, batch: 1, work: "0", costs: false)
      store = store_of(name)
      @left ||= Hash.new(0)
      depth = depth_of(name, batch)
      fill_up name, depth
      figures = with_costs(name, costs) { run_workers(name, batch:, work:) }
      @left[store] -= figures["received"]
      rate = figures.dig("messages", "received_rate")
      warn "  #{name}: the clients were the limit: #{figures["bottleneck"]}" if figures["bottleneck"]
      if @left[store] <= depth / 4
        return completed_in_full_queues(name, batch:, work:, costs:) if deeper(name, batch)

        puts "note #{name}: the queues ran empty, with #{depth} messages at the start"
      end
      @completed_rates[name] = rate
      figures.merge(completed: rate)
    end

    # Contestants of one system use the same queues, as far as their kinds of tables are the same.
    def store_of(name)
      kind, more = BrokersBench::SYSTEMS.fetch(name)
      [ kind, more["client.driver.table"] ]
    end

    def depth_of(name, batch)
      @completed_rates ||= Hash.new(0)
      @depths ||= {}
      @depths[[ name, batch ]] ||= [ 30_000, (3 * @completed_rates[name] * completed_seconds.sum).round ].max
    end

    def deeper(name, batch)
      wanted = 2 * @depths[[ name, batch ]]
      return false if wanted > MOST_MESSAGES

      warn "  #{name}: repeated with #{wanted} messages"
      @depths[[ name, batch ]] = wanted
    end

    def fill_up(name, depth)
      missing = depth - @left[store_of(name)]
      return unless missing.positive?

      @left[store_of(name)] += run(name, clients: 16, inflight: 50, scenario: "Fill", requests: missing,
        prefix: "completed", seconds: 3_600, warmup: 0)["sent"]
    end

    # Returns the seconds of the warm-up and of the measurement.
    def completed_seconds = @quick ? [ 1, 2 ] : [ 2, 6 ]

    def run_workers(name, batch:, work:)
      warmup, seconds = completed_seconds
      run(name, clients: WORKERS, scenario: "Worker", prefix: "completed", seconds:, warmup:,
        set: { "client.batch" => batch, "client.work" => work, **prefetch(name, batch) })
    end

    def prefetch(name, batch)
      name == "rabbitmq_consume" ? { "client.driver.prefetch" => [ 2 * batch, 10 ].max } : {}
    end

    # Adds the costs of a run per completed message: processor time of all processes of the system and of the clients,
    # the JVM's start included; WAL of all kinds, that of vacuum included; row versions that updates and deletes left.
    def with_costs(name, wanted)
      return yield unless wanted

      stored = stored_by(name)
      cpu = cpu_of(name)
      figures = yield
      cpu = cpu_of(name) - cpu
      sleep STATISTICS_SECONDS if database_of(name) == DATABASES[:mlmq]
      costs = stored_by(name).to_h { |cost, after| [ cost, after - stored.fetch(cost) ] }
      { cpu: cpu * 1_000_000, **costs }.each { |cost, sum| figures[cost] = sum / figures["received"].to_f }
      figures
    end

    def database_of(name) = DATABASES[BrokersBench::SYSTEMS.fetch(name).first]

    def cpu_of(name)
      system = @systems.fetch(BrokersBench::SYSTEMS.fetch(name).first)
      own = Process.times
      Bench.cpu_seconds(system.pids + (database_of(name) ? @postgresql.pids : [])) + own.cutime + own.cstime
    end

    def stored_by(name)
      database = database_of(name) or return {}
      { wal: "SELECT pg_current_wal_insert_lsn() - '0/0'",
        dead: "SELECT sum(n_tup_upd + n_tup_del) FROM pg_stat_user_tables" }
        .transform_values { |sql| @postgresql.query(database, sql).to_f }
    end

    # Returns the seconds from the workers' start until the last message of the burst is acknowledged.
    def burst_seconds(name)
      drain name, prefix: "burst" if name == "mlmq" # its queues are those of all parts
      run(name, clients: 16, inflight: 50, scenario: "Fill", requests: BURST, prefix: "burst", seconds: 600,
        warmup: 0) # the warm-up would send more
      logs = File.join(@directory, "burst#{@runs += 1}")
      working = Thread.new { complete_burst(name, logs) }
      file = File.join(logs, "messages_client_0.csv")
      Bench.until_true("#{name}: a burst is not completed", seconds: 300) do
        !working.alive? || File.size?(file).to_i > (BURST - 500) * LINE_BYTES && File.mtime(file) < Time.now - 1
      end
      command_file(logs).then { |path| File.write("#{path}.new", "shutdown\n") && File.rename("#{path}.new", path) }
      errors = working.value["errors"]
      raise Bench::Error, "#{name}: errors #{errors}" if errors.any?

      started = JSON.parse(File.read(File.join(logs, "summary_client_0.json")))["started_ms"]
      received = File.foreach(file).map { |line| line.split(";").values_at(1, 2) }
      puts "note #{name}: #{received.size} messages of a burst of #{BURST} were completed" if received.size != BURST
      (received.map { |_, at| at.to_i }.max - started) / 1_000.0
    end

    def complete_burst(name, logs)
      run(name, clients: WORKERS, scenario: "Worker", prefix: "burst", seconds: 600, warmup: 0, timeout: 10, logs:,
        set: { "common.commandofile.path" => command_file(logs), "common.performancelogger.sample" => 0,
          **prefetch(name, 1) })
    end

    def command_file(logs) = "#{logs}.command"
end
