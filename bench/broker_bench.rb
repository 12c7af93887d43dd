require_relative "support"

# Compares the broker with pgbench, which does the same work without a broker, on one PostgreSQL of the bench's own.
class BrokerBench
  QUEUES = 100
  MIX = "client.mix=send:50,dequeue:50"
  # Each message that is received is acknowledged by the request after that.
  LEASES = "client.mix=send:50,receive:50"
  # docs/reference/broker.md recommends these options for few cores.
  JAVA = %w[ java -Xmx64m -XX:+UseSerialGC ]
  # A load runs for seconds, in a JVM of its own, on the cores of the measured broker: the second compiler would cost
  # more than it gains.
  SHORT_LIVED = %w[ -XX:+UseSerialGC -XX:TieredStopAtLevel=1 ]
  # Only the second compiler uses the processor's instructions for AES.
  ENCRYPTING = %w[ -XX:+UseSerialGC ]
  ENCRYPTING_WARM_UP = 10

  def initialize(directory, postgresql, quick:)
    @directory, @postgresql, @quick = directory, postgresql, quick
    @rounds, @seconds, @held_seconds, @held_parts = quick ? [ 2, 3, 20, 4 ] : [ 5, 10, 600, 10 ]
    @brokers = 0
    @ledgers = Hash.new { |ledgers, database| ledgers[database] = { sent: 0, received: 0, filled: 0 } }
    create_database "pgbench"
  end

  # 64 closed-loop clients, half of them sending at any moment.
  def mixed(clients)
    against_pgbench("mixed_vs_pgbench", "mixed_#{clients}", clients:)
  end

  def pipelined(clients, inflight)
    against_pgbench("pipelined_vs_pgbench", "pipelined_#{clients}x#{inflight}", clients:, inflight:)
  end

  def many_clients(clients)
    against_pgbench("clients#{clients}_vs_pgbench", "clients_#{clients}", clients:)
  end

  # Sends, receives under leases and acknowledgements, a third each, against the same statements by pgbench.
  def leases
    { "leases_64" => { clients: 64 }, "leases_16x100" => { clients: 16, inflight: 100 } }.each do |name, load|
      with_brokers(name, 1) do |brokers|
        rounds = Bench::Rounds.new(@rounds)
        rounds.add("pgbench_leases_32", "requests/s") { pgbench_leases_rate }
        rounds.add(name, "requests/s") { load_rate(name, brokers, mix: LEASES, **load) }
        rounds.run.ratio("#{name}_vs_pgbench", name, "pgbench_leases_32")
      end
    end
  end

  def two_brokers(count, clients: 64)
    with_brokers("single", 1) do |single|
      with_brokers("several", count) do |several|
        rounds = Bench::Rounds.new(@rounds)
        rounds.add("brokers_1", "requests/s") { load_rate("single", single, clients:) }
        rounds.add("brokers_#{count}", "requests/s") { load_rate("several", several, clients:) }
        rounds.run.ratio(count == 2 ? "two_brokers_vs_one" : "brokers#{count}_vs_one", "brokers_#{count}", "brokers_1")
      end
    end
  end

  # Times count from the intended start, at half of pgbench's highest rate.
  def latency
    with_brokers("latency", 1) do |brokers|
      rate = (pgbench_rate / 2).round
      broker, pgbench = [], []
      rounds = Bench::Rounds.new(@rounds)
      rounds.add("pgbench_p50_at_#{rate}", "us") { pgbench << pgbench_latency(rate); pgbench.last[:p50] }
      rounds.add("broker_p50_at_#{rate}", "us") do
        broker << load("latency", brokers, clients: 64, rate:)["response"].transform_keys(&:to_sym); broker.last[:p50]
      end
      rounds.add("pgbench_p99_at_#{rate}", "us") { pgbench.last[:p99] }
      rounds.add("broker_p99_at_#{rate}", "us") { broker.last[:p99] }
      rounds.run.ratio("p99_vs_pgbench", "broker_p99_at_#{rate}", "pgbench_p99_at_#{rate}")
    end
  end

  def backlog(messages)
    fill "backlog", messages
    with_brokers("fresh", 1) do |fresh|
      with_brokers("backlog", 1) do |full|
        rounds = Bench::Rounds.new(@rounds)
        rounds.add("fresh", "requests/s") { load_rate("fresh", fresh, clients: 64) }
        rounds.add("backlog_#{messages}", "requests/s") { load_rate("backlog", full, clients: 64) }
        rounds.run.ratio("backlog_vs_fresh", "backlog_#{messages}", "fresh")
      end
    end
  end

  # Another session holds a snapshot open, so that rows deleted meanwhile cannot be vacuumed. A second broker, without
  # such a snapshot, is measured after each part, as the speed of the machine may change within ten minutes.
  def held_transaction(held = "held", mix: MIX)
    beside = "#{held}_beside"
    with_brokers(held, 1) do |brokers|
      with_brokers(beside, 1) do |others|
        [ [ held, brokers ], [ beside, others ] ].each { |name, all| load_rate(name, all, clients: 64, mix:) }
        rates, free = holding_a_snapshot(held) { held_parts([ held, brokers ], [ beside, others ], mix) }.transpose
        { "first" => 0, "last" => -1 }.each do |name, at|
          puts "#{held}_#{name} #{rates[at].round} requests/s", "#{beside}_#{name} #{free[at].round} requests/s"
        end
        Bench.ratio "#{held}_vs_fresh", rates.last / rates.first
        Bench.ratio "#{held}_vs_fresh_against_beside", rates.last / free.last / (rates.first / free.first)
      end
    end
  end

  def held_leases
    held_transaction "held_leases", mix: LEASES
  end

  def echo
    port = Bench.free_port
    redis = [ "redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir",
      @directory ]
    Bench::Server.open(File.join(@directory, "redis.log"), *redis, ready: ->(_) { Bench.listening?(port) }) do
      with_brokers("echo", 1) do |brokers|
        rounds = Bench::Rounds.new(@rounds)
        rounds.add("redis_ping_64", "requests/s") { redis_ping_rate(port, 64) }
        rounds.add("echo_64", "requests/s") { load_rate("echo", brokers, clients: 64, scenario: "Echo") }
        rounds.run.ratio("echo_vs_redis", "echo_64", "redis_ping_64")
      end
    end
  end

  def log
    with_brokers("quiet", 1, "common.performancelogger.sample" => 0) do |quiet|
      with_brokers("logging", 1) do |logging|
        rounds = Bench::Rounds.new(@rounds)
        rounds.add("without_log", "requests/s") { load_rate("quiet", quiet, clients: 64) }
        rounds.add("with_log", "requests/s") { load_rate("logging", logging, clients: 64) }
        rounds.run.ratio("log_vs_nolog", "with_log", "without_log")
      end
    end
  end

  # The same with 64 clients, and with 100 requests in flight.
  def tls
    protected_against_open("tls", broker_with_tls, "client.tls" => "verify_full",
      "client.tls.authorities" => certificate)
  end

  def auth
    create_user
    protected_against_open("auth", { "broker.auth" => "scram" }, "client.user" => USER,
      "client.password.file" => password)
  end

  # 16 clients connect, register and close, again and again.
  def reconnects
    create_user
    with_brokers("open", 1) do |open|
      with_brokers("tls", 1, broker_with_tls) do |tls|
        with_brokers("auth", 1, broker_with_tls.merge("broker.auth" => "scram")) do |auth|
          rounds = Bench::Rounds.new(@rounds)
          rounds.add("reconnects_open", "1/s") { reconnect_rate(open) }
          rounds.add("reconnects_tls", "1/s") { reconnect_rate(tls, certificate) }
          rounds.add("reconnects_tls_auth", "1/s") { reconnect_rate(auth, certificate, USER, password) }
          rounds.run
          rounds.ratio("reconnects_tls_vs_open", "reconnects_tls", "reconnects_open")
          rounds.ratio("reconnects_tls_auth_vs_open", "reconnects_tls_auth", "reconnects_open")
        end
      end
    end
  end

  def batch(sizes)
    running = sizes.to_h { |size| [ size, start_broker("batch_#{size}", "broker.batch.max" => size) ] }
    rounds = Bench::Rounds.new(@rounds)
    running.each do |size, broker|
      rounds.add("batch_#{size}", "requests/s") { load_rate("batch_#{size}", [ broker ], clients: 64) }
    end
    rounds.run
    sizes.drop(1).each do |size|
      rounds.ratio("batch#{size}_vs_batch#{sizes.first}", "batch_#{size}", "batch_#{sizes.first}")
    end
  ensure
    running&.each_value { |broker| stop broker }
  end

  NEIGHBOURS = {
    "parked" => "10,000 queries of 20 connections that wait",
    "by-sender" => "4 loops of peeks by sender over a backlog",
    "any-queue" => "4 loops of takes from any queue",
    "delete-create" => "4 loops that make and delete queues"
  }

  # Measures the rate of ordinary clients beside expensive requests, relative to their rate alone. Both use one broker,
  # whose database has a backlog of messages and 100,000 registered clients.
  def neighbours(messages)
    fill "neighbours", messages, clients: 100_000
    with_brokers("neighbours", 1) do |brokers|
      NEIGHBOURS.each do |kind, description|
        warn "neighbour: #{description}"
        name = kind.tr("-", "_")
        rounds = Bench::Rounds.new(@rounds)
        rounds.add("alone_before_#{name}", "requests/s") { load_rate("neighbours", brokers, clients: 64) }
        rounds.add("beside_#{name}", "requests/s") do
          beside(kind, brokers.first) { load_rate("neighbours", brokers, clients: 64) }
        end
        rounds.run.ratio("beside_#{name}_vs_alone", "beside_#{name}", "alone_before_#{name}")
      end
    end
  end

  # Checks that no message was lost or doubled in any database.
  def settle
    @ledgers.each do |database, ledger|
      left = @postgresql.query(database, "SELECT (SELECT count(*) FROM message) + (SELECT count(*) FROM lease)").to_i
      there = ledger[:sent] + ledger[:filled]
      unless there == ledger[:received] + left
        raise Bench::Error,
          "#{database}: sent #{there}, received #{ledger[:received]}, left #{left}: they do not add up"
      end
      puts "balance #{database} sent #{there} = received #{ledger[:received]} + left #{left}"
    end
  end

  private
    Broker = Struct.new(:server, :port, :database)
    USER = "bench"

    def certificate
      @certificate ||= File.join(@directory, "broker.pem").tap do |path|
        Bench.capture("openssl", "req", "-x509", "-nodes", "-days", "2", "-newkey", "ec", "-pkeyopt",
          "ec_paramgen_curve:prime256v1", "-subj", "/CN=broker", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
          key, "-out", path)
      end
    end

    def key = File.join(@directory, "broker.key")

    def broker_with_tls
      { "broker.tls.certificate" => certificate, "broker.tls.key" => key }
    end

    def password
      @password ||= File.join(@directory, "password").tap { |path| File.write path, "bench\n" }
    end

    def create_user
      return if @created&.include?("auth")

      create_database "auth"
      user "add", USER, "--password-file", password
      user "grant", "send, receive, manage on queue '%' to #{USER}"
    end

    def reconnect_rate(brokers, authority = "", user = "", password = "")
      Bench.capture(File.join(Bench::ROOT, "bench/test_program"), "ch.ethz.mlmq.campaign.Reconnects",
        "127.0.0.1:#{brokers.first.port}", @seconds, authority, user, password).to_f
    end

    def protected_against_open(name, broker_settings, client_settings)
      { "64" => { clients: 64 }, "16x100" => { clients: 16, inflight: 100 } }.each do |kind, load|
        load = load.merge(java: ENCRYPTING, warm_up: ENCRYPTING_WARM_UP)
        with_brokers("open", 1, java: ENCRYPTING) do |open|
          with_brokers(name, 1, broker_settings, java: ENCRYPTING) do |closed|
            rounds = Bench::Rounds.new(@rounds)
            rounds.add("open_#{kind}", "requests/s") { load_rate("open", open, **load) }
            rounds.add("#{name}_#{kind}", "requests/s") { load_rate(name, closed, settings: client_settings, **load) }
            rounds.run.ratio("#{name}_#{kind}_vs_open", "#{name}_#{kind}", "open_#{kind}")
          end
        end
      end
    end

    def user(*arguments)
      Bench.capture("java", "-jar", Bench.jar("mlmq"), "user", *arguments, "--url", @postgresql.url("auth"),
        "--db-user", @postgresql.user, env: @postgresql.env)
    end

    def against_pgbench(ratio, name, **load)
      with_brokers(name, 1) do |brokers|
        rounds = Bench::Rounds.new(@rounds)
        rounds.add("pgbench_32", "requests/s") { pgbench_rate }
        rounds.add(name, "requests/s") { load_rate(name, brokers, **load) }
        rounds.run.ratio(ratio, name, "pgbench_32")
        puts "broker_memory #{brokers.first.server.peak_memory / 1024 / 1024} MB resident at its peak, heap limited " \
          "to 64 MB"
      end
    end

    def beside(kind, broker, &block)
      Bench::Server.open(File.join(@directory, "neighbour.log"), File.join(Bench::ROOT, "bench/test_program"),
        "ch.ethz.mlmq.campaign.Neighbours", kind, "127.0.0.1:#{broker.port}",
        ready: ->(server) { File.read(server.log).include?("ready") }, &block)
    end

    def holding_a_snapshot(database)
      IO.popen(@postgresql.env, [ "psql", "-XAtq", "-d", database ], "r+") do |session|
        session.puts "BEGIN ISOLATION LEVEL REPEATABLE READ;", "SELECT count(*) FROM queue;"
        session.gets
        yield.tap { session.puts "COMMIT;" }
      end
    end

    # Returns the rates of each part, with the snapshot and without it.
    def held_parts(held, beside, mix)
      Array.new(@held_parts) do |part|
        rates = [ load_rate(*held, clients: 64, seconds: @held_seconds / @held_parts, mix:),
          load_rate(*beside, clients: 64, mix:) ]
        warn format("  part %2d of #{@held_parts} with the snapshot held  %d requests/s, beside it %d", part + 1,
          *rates)
        rates
      end
    end

    def with_brokers(database, count, settings = {}, java: @quick ? SHORT_LIVED : [])
      brokers = []
      count.times { brokers << start_broker(database, settings, java:) }
      yield brokers
    ensure
      brokers.each { |broker| stop broker }
    end

    def stop(broker)
      broker.server.stop
    end

    def start_broker(database, settings = {}, java: @quick ? SHORT_LIVED : [])
      create_database database
      port = Bench.free_port
      folder = File.join(@directory, "broker_#{@brokers += 1}")
      FileUtils.mkdir_p folder
      File.write File.join(folder, "config.properties"), {
        "common.scenario.mytype" => "broker", "common.scenario.myposition" => 0,
        "common.scenario.mapping.broker" => "Broker#127.0.0.1:#{port}",
        "common.performancelogger.logfilepath" => File.join(folder, "logs"),
          "common.commandofile.path" => File.join(folder, "command.txt"),
        "broker.db.url" => @postgresql.url(database), "broker.db.user" => @postgresql.user
      }.merge(settings).map { |key, value| "#{key}=#{value}\n" }.join
      server = Bench::Server.new(File.join(folder, "broker.log"), *JAVA, *java, "-jar",
        Bench.jar("mlmq"), "scenario", "-config", File.join(folder, "config.properties"), "--progress",
        env: @postgresql.env)
      server.await { File.read(server.log).include?('"state":"ready"') }
      Broker.new(server, port, database)
    end

    # Returns responses per second of a closed loop.
    def load_rate(database, brokers, **options)
      load(database, brokers, **options)["rate"]
    end

    def load(database, brokers, clients:, seconds: @seconds, inflight: 1, rate: nil, scenario: "Mix", mix: MIX,
      settings: {}, java: SHORT_LIVED, warm_up: (seconds / 2).clamp(2, 5))
      command = [ "java", "-Xmx512m", *java, "-jar", Bench.jar("mlmq"), "load", "--broker",
        brokers.map { |broker| "127.0.0.1:#{broker.port}" }.join(","), "--scenario", scenario,
        "--clients", clients, "--inflight", inflight, "--queues", QUEUES, "--message-size", 100, "--warmup",
        "#{warm_up}s", "--duration", "#{seconds}s", "--timeout", "20s", "--json" ]
      command.push("--set", mix) if scenario == "Mix"
      settings.each { |key, value| command.push "--set", "#{key}=#{value}" }
      command.push("--rate", "#{rate}/s", "--poisson") if rate
      figures = JSON.parse(Bench.capture(*command))
      raise Bench::Error, "#{database}: errors #{figures["errors"]}" unless figures["errors"].values.sum.zero?
      ledger = @ledgers[database]
      ledger[:sent] += figures["sent"]
      ledger[:received] += figures["received"] + figures["received_filling"]
      figures
    end

    def create_database(database)
      @created ||= []
      return if @created.include?(database)
      dbscript database, "-createDatabase", "-createTables"
      @created << database
    end

    def fill(database, messages, clients: 1)
      create_database database
      dbscript database, "-fill", "#{QUEUES},#{messages},#{clients}"
      @ledgers[database][:filled] += messages
      @postgresql.query(database, "VACUUM ANALYZE message")
    end

    def dbscript(database, *arguments)
      Bench.capture("java", "-jar", Bench.jar("mlmq"), "dbscript", "-url", @postgresql.url("postgres"), "-db", database,
        "-user", @postgresql.user, *arguments, env: @postgresql.env)
    end

    def pgbench(*options, takes: "dequeue")
      scripts = File.join(Bench::ROOT, "bench/pgbench")
      Bench.capture(@postgresql.program("pgbench"), "-n", "-M", "prepared", "-c", 32, "-j", 2, "-T", @seconds, "-D",
        "first=1", "-D", "last=#{QUEUES}",
        "-f", "#{scripts}/send.sql@1", "-f", "#{scripts}/#{takes}.sql@1", *options, "pgbench", env: @postgresql.env)
    end

    def pgbench_rate
      pgbench[/^tps = ([\d.]+)/, 1].to_f
    end

    # Two of its three statements are in one script.
    def pgbench_leases_rate
      pgbench(takes: "lease")[/^tps = ([\d.]+)/, 1].to_f * 3 / 2
    end

    # Times count from the scheduled time of each transaction.
    def pgbench_latency(rate)
      Dir.mktmpdir(nil, @directory) do |folder|
        pgbench "--rate=#{rate}", "--log", "--log-prefix=#{folder}/log"
        times = Dir["#{folder}/log*"].flat_map { |file| File.foreach(file).map { |line| line.split[2].to_i } }.sort
        { p50: times[times.size / 2], p99: times[times.size * 99 / 100] }
      end
    end

    def redis_ping_rate(port, clients)
      Bench.capture("redis-benchmark", "-p", port, "-t", "ping_mbulk", "-c", clients, "-n",
        [ @seconds * 60_000, 100_000 ].max, "--csv")[/"PING_MBULK","([\d.]+)"/, 1].to_f
    end
end
