require_relative "systems_under_test"
require_relative "completed_bench"
require_relative "published_bench"

# Measures four systems under the same clients, on one machine. A message is on disk when its send is acknowledged.
class BrokersBench
  include CompletedBench, PublishedBench

  QUEUES = 64
  MIX = "send:50,dequeue:50"
  # The table maps each contestant to its system and to further settings of its clients.
  SYSTEMS = {
    "mlmq"             => [ :mlmq, {} ],
    "mlmq_consume"     => [ :mlmq, { "client.driver.take" => "consume" } ],
    "rabbitmq"         => [ :rabbitmq, {} ],
    "rabbitmq_consume" => [ :rabbitmq, { "client.driver.take" => "consume" } ],
    "activemq"         => [ :activemq, {} ],
    "table"            => [ :table, {} ],
    "pgmq_pop"         => [ :table, { "client.driver.table" => "pgmq", "client.driver.pgmq.take" => "pop" } ],
    "pgmq_archive"     => [ :table, { "client.driver.table" => "pgmq" } ],
    "pgmq_delete"      => [ :table, { "client.driver.table" => "pgmq", "client.driver.pgmq.take" => "delete" } ]
  }

  # These contestants take part in the part completed alone.
  ONLY_COMPLETED = %w[ pgmq_delete ]

  # These contestants execute one request at a time: of 100 requests in flight, 99 wait in the client.
  ONE_BY_ONE = %w[ activemq table pgmq_pop pgmq_archive ]

  WARMING_UP = 30

  # A message that was read and not archived stays hidden from others for these seconds.
  HIDDEN = { "pgmq_archive" => 32 }

  def self.open(directory, names, **options)
    bench = new(directory, names, **options)
    bench.start
    yield bench
  ensure
    bench&.stop
  end

  # The rate is that of the part latency, in requests a second. Copies are subscriptions of the part topics; they rise,
  # as durable ones stay.
  def initialize(directory, names, quick: false, rate: nil, copies: nil)
    @directory, @all, @quick, @rate, @copies = directory, names, quick, rate, copies
    @names = names - ONLY_COMPLETED
    @rounds, @seconds = quick ? [ 2, 4 ] : [ 3, 8 ]
    @filled = {}
    @runs = 0
  end

  def start
    Process.setrlimit Process::RLIMIT_NOFILE, [ 65_536, Process.getrlimit(Process::RLIMIT_NOFILE).last ].min
    @postgresql = SystemsUnderTest::Postgresql.new(@directory).tap(&:start)
    Bench.capture "createdb", "queues", env: @postgresql.env
    kinds = { mlmq: SystemsUnderTest::Mlmq, rabbitmq: SystemsUnderTest::Rabbitmq,
      activemq: SystemsUnderTest::Activemq, table: SystemsUnderTest::Table }
    @systems = {}
    @all.map { |name| SYSTEMS[name].first }.uniq.each do |kind|
      # The system is stored before its start, so that it is stopped even if another one cannot be stopped.
      @systems[kind] = kinds.fetch(kind).new(File.join(@directory, kind.to_s))
    end
    # A driver is built along with MLMQ: a broker that runs would lose its classes.
    @systems.each_value(&:class_path)
    @systems.each_value do |system|
      system.postgresql = @postgresql if system.respond_to?(:postgresql=)
      system.prepare "mlmq" if system.respond_to?(:prepare)
      system.start
    end
  end

  def stop
    @systems&.each_value(&:stop)
    @postgresql&.stop
  end

  def versions
    @systems.each { |kind, system| puts "version #{kind} #{system.version}" }
    puts "machine #{Etc.nprocessors} processors, #{`java -version 2>&1`.lines.first.strip}"
  end

  # In a closed loop, a client sends its next request after each response: a send or a dequeue, at random.
  def mixed = compare("mixed", clients: 64)
  def pipelined
    compare("pipelined", clients: 16, inflight: 100)
    (@names & ONE_BY_ONE).each do |name|
      puts "note #{name}: its driver executes a client's requests one after the other"
    end
  end

  def many_clients = compare("clients1000", clients: 1_000, heap: "1g")

  # Times count from the intended start, at half of the slowest contestant's highest rate if none is given.
  def latency
    rate = @rate || half_of_the_slowest
    puts "latency_rate #{rate} requests/s"
    # A server that runs for good is measured, so JVMs compile first.
    @names.each { |name| load(name, clients: 64, rate:, seconds: WARMING_UP) }
    rounds = Bench::Rounds.new(@rounds)
    times = {}
    @names.each do |name|
      rounds.add("#{name}_p50", "us") { (times[name] = load(name, clients: 64, rate:)["response"])["p50"] }
      rounds.add("#{name}_p99", "us") { times[name]["p99"] }
    end
    rounds.run
    others { |name| rounds.ratio("#{name}_p99_vs_mlmq", "#{name}_p99", "mlmq_p99") }
    if @names.include?("mlmq_consume") && @names.include?("rabbitmq_consume")
      rounds.ratio("mlmq_consume_p99_vs_rabbitmq_consume", "mlmq_consume_p99", "rabbitmq_consume_p99")
    end
  end

  # The queues are filled with as many messages as should not have to fit in memory.
  def backlog
    messages = @quick ? 100_000 : 1_000_000
    @names.each do |name|
      before = load(name, clients: 64)[:rate]
      seconds = Bench.now
      figures = load(name, clients: 16, inflight: 100, scenario: "Fill", requests: messages, prefix: "backlog",
        seconds: 3_600)
      seconds = Bench.now - seconds
      after = load(name, clients: 64, prefix: "backlog")[:rate]
      puts "#{name}_fill #{(figures["sent"] / seconds).round} messages/s"
      puts "#{name}_backlog #{after.round} requests/s with #{messages} messages, #{before.round} before"
      Bench.ratio "#{name}_backlog_vs_before", after / before
    end
  end

  # Senders continue at a constant rate while consumers pause and return.
  def pause
    rate, away = @quick ? [ 300, 15 ] : [ 500, 60 ]
    @names.each do |name|
      empty name
      sending = Thread.new do
        load(name, clients: 16, scenario: "PublicQueueProducer", rate:, prefix: "pause", seconds: away, warmup: 0)
      end
      sent = sending.value
      start = Bench.now
      taken = load(name, clients: 16, scenario: "PublicQueueConsumer", prefix: "pause", requests: sent["sent"],
        seconds: 3_600, warmup: 0, timeout: 2)["received"]
      seconds = Bench.now - start
      rest = drain name, prefix: "pause"
      puts "#{name}_pause sends p50 #{sent.dig("response", "p50")} us, " \
        "p99 #{sent.dig("response", "p99")} us while nobody took; then #{taken} of #{sent["sent"]} " \
        "messages taken in #{seconds.round(1)} s, a JVM's start included, and #{rest} afterwards"
    end
  end

  # Kills a system under load, and counts acknowledged messages that are lost, doubled messages, and the time until
  # sends succeed again.
  def kill
    @names.each do |name|
      kind, = SYSTEMS.fetch(name)
      empty name
      logs = File.join(@directory, "kill_#{name}")
      started = Thread.new { load(name, clients: 16, rate: 1_000, seconds: 20, warmup: 0, prefix: "kill", logs:) }
      file = File.join(logs, "messages_client_0.csv")
      Bench.until_true("#{name}: nothing is sent", seconds: 180) { File.size?(file).to_i > 16_000 }
      killed = (Process.clock_gettime(Process::CLOCK_REALTIME) * 1_000).round
      crash kind
      unanswered = started.value.fetch("unanswered_dequeues")
      sleep [ killed / 1_000.0 + HIDDEN.fetch(name, 0) - Time.now.to_f, 0 ].max
      drain name, logs
      report_kill name, killed, unanswered, Dir["#{logs}*/messages_client_0.csv"]
    end
  end

  # Compares our driver with a program that uses only RabbitMQ's client, to show whether the driver is slow.
  def driver
    return unless @systems[:rabbitmq]
    rounds = Bench::Rounds.new(@rounds)
    rounds.add("client_alone_mixed", "requests/s") { client_alone(64, 1) }
    rounds.add("driver_mixed", "requests/s") { load("rabbitmq", clients: 64)[:rate] }
    rounds.add("client_alone_pipelined", "requests/s") { client_alone(16, 100) }
    rounds.add("driver_pipelined", "requests/s") { load("rabbitmq_consume", clients: 16, inflight: 100)[:rate] }
    rounds.run
    rounds.ratio("driver_vs_client_alone_mixed", "driver_mixed", "client_alone_mixed")
    rounds.ratio("driver_vs_client_alone_pipelined", "driver_pipelined", "client_alone_pipelined")
  end

  private
    def half_of_the_slowest
      rates = @names.to_h { |name| [ name, load(name, clients: 64)[:rate] ] }
      puts "slowest #{rates.min_by(&:last).first}"
      (rates.values.min / 2).floor
    end

    def others(&)
      (@names - [ "mlmq" ]).each(&) if @names.include?("mlmq")
    end

    def compare(part, **options)
      rounds = Bench::Rounds.new(@rounds)
      @names.each { |name| rounds.add("#{name}_#{part}", "requests/s") { load(name, **options)[:rate] } }
      rounds.run
      others { |name| rounds.ratio("mlmq_vs_#{name}_#{part}", "mlmq_#{part}", "#{name}_#{part}") }
    end

    # The number is large enough that dequeues find a message, and small enough for the memory of every system.
    def fill(name, prefix)
      kind, = SYSTEMS.fetch(name)
      key = [ kind, SYSTEMS.fetch(name).last["client.driver.table"], prefix ]
      return if @filled[key]
      @filled[key] = true
      run(name, clients: 16, inflight: 50, scenario: "Fill", requests: 20_000, prefix:, seconds: 600)
    end

    def load(name, prefix: "bench", scenario: "Mix", **options)
      fill name, prefix if scenario == "Mix" && prefix == "bench"
      figures = run(name, prefix:, scenario:, **options)
      # A take without a message does not count.
      messages = figures["messages"].values_at("sent_rate", "received_rate")
      figures[:rate] = scenario == "Mix" ? messages.sum : figures["rate"]
      figures
    end

    def run(name, clients:, prefix:, scenario:, seconds: @seconds, inflight: 1, rate: nil, requests: nil, warmup: nil,
      timeout: 60, heap: "512m", logs: nil, set: {})
      kind, more = SYSTEMS.fetch(name)
      # A request learns that a queue is empty; a consumer of pushed messages does not.
      more = more.except("client.driver.take") if scenario == "Only#dequeueMessage"
      system = @systems.fetch(kind)
      prefix = "#{prefix}_#{more["client.driver.table"]}" if more["client.driver.table"]
      command = [ "java", "-Xmx#{heap}", *SystemsUnderTest::SHORT_LIVED, "-cp", system.class_path.join(":"),
        "ch.ethz.mlmq.cli.Main", "load", *system.options, "--scenario", scenario, "--clients", clients, "--inflight",
        inflight, "--queues", QUEUES, "--message-size", 100, "--warmup", "#{warmup || (seconds / 2).clamp(2, 4)}s",
        "--duration", "#{seconds}s", "--timeout", "#{timeout}s", "--json", "--set", "client.connect.within=2min" ]
      settings = system.settings(prefix).merge(more, set)
      settings["client.mix"] = MIX if scenario == "Mix"
      settings["client.record.messages"] = true if logs
      settings.each { |key, value| command.push "--set", "#{key}=#{value}" }
      command.push "--rate", "#{rate}/s", "--poisson" if rate
      command.push "--requests", requests if requests
      command.push "--log", logs if logs
      figures = JSON.parse(Bench.capture(*command, env: system.environment))
      heed_errors name, figures, rate unless logs
      figures
    end

    # A consumer that waits for pushed messages starts no other request, so arrivals at a rate may find no free client.
    # That is a result, not an error.
    def heed_errors(name, figures, rate)
      errors = rate ? figures["errors"].except("NOT_STARTED") : figures["errors"]
      raise Bench::Error, "#{name}: errors #{errors}" if errors.values.sum.positive?

      never = figures["errors"].fetch("NOT_STARTED", 0)
      puts "note #{name}: #{never} of #{figures["ok"] + never} requests found no free client" if never.positive?
    end

    def crash(kind)
      system = @systems.fetch(kind)
      if kind == :table
        @postgresql.kill
        @postgresql.start_again
      else
        system.kill
        system.start
      end
    end

    # Removes messages of other parts from queues without a prefix, as message ids start again with each load.
    def empty(name)
      drain name
      @filled.clear
    end

    # Returns the number of messages.
    def drain(name, logs = nil, prefix: "kill")
      (1..).each.with_object([]) do |number, taken|
        taken << run(name, clients: 16, prefix:, scenario: "Only#dequeueMessage", requests: 20_000, seconds: 600,
          warmup: 0, timeout: 2, logs: logs && "#{logs}_drain#{number}")["received"]
        break taken.sum if taken.last.zero?
      end
    end

    # A dequeue without a response may have removed its message: such a message is lost if a dequeue is not acknowledged
    # separately.
    def report_kill(name, killed, unanswered, files)
      sent, received, times = [], [], []
      files.each do |file|
        File.foreach(file) do |line|
          what, id, at = line.split(";")
          (what == "sent" ? sent : received) << id
          times << at.to_i if what == "sent" && at.to_i > killed
        end
      end
      again = [ killed, *times.sort ].each_cons(2).max_by { |a, b| b - a }.last
      puts "#{name}_kill lost #{(sent.uniq - received).size} of #{sent.size}, " \
        "doubled #{received.size - received.uniq.size}, #{unanswered} takes without an answer, " \
        "the first send is answered #{((again - killed) / 1_000.0).round(1)} s after the kill"
    end

    def client_alone(clients, inflight)
      fill "rabbitmq", "alone" # separate queues, as our driver counts foreign messages as errors
      Bench.capture("java", "-Xmx512m", *SystemsUnderTest::SHORT_LIVED, "-cp",
        [ Bench.driver("amqp"), Bench.jar("mlmq") ].join(":"), File.join(__dir__, "java/RabbitClients.java"),
        @systems[:rabbitmq].port, "alone", QUEUES, clients, inflight, @seconds).to_f
    end
end
