require_relative "support"

# Defines the systems of bench/brokers: how each is started, killed and started again, and how load clients reach it.
module SystemsUnderTest
  # A load runs for seconds, on the processors of the measured system: the second compiler would cost more than it
  # gains.
  SHORT_LIVED = %w[ -XX:+UseSerialGC -XX:TieredStopAtLevel=1 ]

  # A system is started once and used by all parts.
  class System
    attr_reader :directory, :port, :server

    def initialize(directory)
      @directory = directory
      @port = Bench.free_port
      FileUtils.mkdir_p directory
    end

    def start
      @server = Bench::Server.new(File.join(directory, "server.log"), *command, env: environment)
      @server.await(seconds: 120) { answers? }
      self
    end

    def environment = {}
    def stop = server&.stop
    def answers? = Bench.listening?(port)
    def class_path = [ Bench.jar("mlmq") ]

    # Returns its processes: the server and all its descendants.
    def pids = Bench.process_tree(server.pid)

    # Ends it like a crash. Its disk stays.
    def kill
      Process.kill "KILL", *pids
      Process.wait server.pid
    rescue Errno::ESRCH
      nil
    end
  end

  # MLMQ's broker and the table share it.
  class Postgresql < Bench::Postgresql
    def initialize(directory)
      super(directory, max_connections: 1_200, shared_buffers: "512MB")
    end

    def pids = Bench.process_tree(postmaster)

    # The server is killed first, as it would restart a dead child process. As a zombie it still holds its lock.
    def kill
      server = postmaster
      Process.kill "KILL", server
      Bench.until_true("the server's processes do not end") do
        !Bench.listening?(port) && orphans.empty? && !File.exist?("/proc/#{server}")
      end
    end

    def start_again
      Bench.capture(*as, program("pg_ctl"), "-D", @data, "-l", File.join(@data, "server.log"), "-o", "-p #{port}", "-w",
        "start")
    end

    private
      def postmaster = Integer(File.foreach(File.join(@data, "postmaster.pid")).first)

      def orphans
        Dir["/proc/[0-9]*/cwd"].select { |cwd| File.readlink(cwd) == @data rescue false }
      end
  end

  # A broker on PostgreSQL, configured as docs/reference/broker.md recommends for few processors.
  class Mlmq < System
    attr_accessor :postgresql

    def prepare(name)
      Bench.capture("java", "-jar", Bench.jar("mlmq"), "dbscript", "-url", postgresql.url("postgres"), "-db", name,
        "-user", postgresql.user, "-createDatabase", "-createTables", env: postgresql.env)
      File.write File.join(directory, "config.properties"), {
        "common.scenario.mytype" => "broker", "common.scenario.mapping.broker" => "Broker#127.0.0.1:#{port}",
        "common.performancelogger.logfilepath" => File.join(directory, "logs"),
        "common.commandofile.path" => File.join(directory, "command.txt"), "broker.db.url" => postgresql.url(name),
        "broker.db.user" => postgresql.user
      }.map { |key, value| "#{key}=#{value}\n" }.join
    end

    def command = [ "java", "-Xmx64m", "-XX:+UseSerialGC", "-jar", Bench.jar("mlmq"), "scenario", "-config",
      File.join(directory, "config.properties"), "--progress" ]
    def environment = postgresql.env
    def answers? = File.read(server.log).include?('"state":"ready"')
    def settings(_prefix) = {}
    def options = [ "--broker", "127.0.0.1:#{port}" ]
    def version = "MLMQ of this checkout, PostgreSQL #{postgresql.query("postgres", "SHOW server_version")}"
  end

  # A node with a name server of its own.
  class Rabbitmq < System
    PROGRAM = "/usr/lib/rabbitmq/bin/rabbitmq-server"

    def initialize(directory)
      super
      Bench.need PROGRAM, "bin/setup --systems"
      @names = Bench.free_port
      @distribution = Bench.free_port
      File.write File.join(directory, "rabbitmq.conf"), "listeners.tcp.1 = 127.0.0.1:#{port}\n"
      FileUtils.chown "rabbitmq", "rabbitmq", [ directory, *Dir["#{directory}/*"] ] if Process.uid.zero?
      @epmd = Bench::Server.new("#{directory}-epmd.log", *as, "epmd", "-port", @names, "-address", "127.0.0.1")
    end

    def stop
      super
      @epmd.stop
    end

    def command = [ *as, PROGRAM ]
    def class_path = [ Bench.jar("mlmq"), Bench.driver("amqp") ]
    def options = []
    def version = "RabbitMQ #{Bench.package("rabbitmq-server")}, Erlang #{Bench.package("erlang-base")}"

    def settings(prefix)
      { "client.driver" => "amqp", "client.driver.address" => "amqp://guest@127.0.0.1:#{port}",
        "client.driver.prefix" => prefix }
    end

    def environment
      { "HOME" => directory, "RABBITMQ_MNESIA_BASE" => "#{directory}/mnesia", "RABBITMQ_LOG_BASE" => "#{directory}/log",
        "RABBITMQ_NODENAME" => "bench#{port}@localhost", "RABBITMQ_NODE_PORT" => port.to_s,
        "RABBITMQ_DIST_PORT" => @distribution.to_s, "RABBITMQ_CONFIG_FILE" => "#{directory}/rabbitmq.conf",
        "RABBITMQ_ENABLED_PLUGINS_FILE" => "#{directory}/plugins", "RABBITMQ_PID_FILE" => "#{directory}/pid",
        "ERL_EPMD_PORT" => @names.to_s, "ERL_EPMD_ADDRESS" => "127.0.0.1" }
    end

    private
      def as = Process.uid.zero? ? %w[ setpriv --reuid=rabbitmq --regid=rabbitmq --init-groups -- ] : []
  end

  # A broker with KahaDB, whose journal is synced for each write.
  class Activemq < System
    def initialize(directory)
      super
      Bench.need "activemq", "bin/setup --systems"
    end

    def command = [ "java", "-Xmx1g", "-cp", Bench.activemq_class_path, "ch.ethz.mlmq.driver.jms.BrokerProgram", port,
      directory ]
    def class_path = [ Bench.jar("mlmq"), Bench.driver("jms") ]
    def options = []
    def version = "ActiveMQ #{Bench.package("activemq")}"

    def settings(prefix)
      { "client.driver" => "jms", "client.driver.address" => "tcp://127.0.0.1:#{port}",
        "client.driver.prefix" => prefix }
    end
  end

  # A table as a queue, without a broker.
  class Table < System
    attr_accessor :postgresql

    def start = self
    def stop = nil
    def pids = []
    def options = []
    def environment = postgresql.env.merge("MLMQ_DRIVER_PASSWORD" => postgresql.password)
    def version = "PostgreSQL #{postgresql.query("postgres", "SHOW server_version")}"

    def settings(prefix)
      { "client.driver" => "jdbc", "client.driver.prefix" => prefix,
        "client.driver.address" => "postgresql://#{postgresql.user}@127.0.0.1:#{postgresql.port}/queues" }
    end
  end
end

module Bench
  module_function

  def driver(name) = artifact(Dir.glob("systems/*/driver", base: ROOT).find { |path|
    File.exist?(File.join(ROOT, path, "src/main/java/ch/ethz/mlmq/driver", name)) }, "mlmq-driver-#{name}.jar")

  # Returns a process and all its descendants.
  def process_tree(pid)
    [ pid, *Dir["/proc/#{pid}/task/*/children"].flat_map { |file| File.read(file).split.map(&:to_i) }
      .flat_map { |child| process_tree(child) } ]
  rescue Errno::ENOENT, Errno::ESRCH
    []
  end

  # Returns the processor time that processes and their ended children have used so far.
  def cpu_seconds(pids)
    ticks = pids.sum do |pid|
      File.read("/proc/#{pid}/stat").rpartition(") ").last.split[11..14].sum(&:to_i)
    rescue Errno::ENOENT, Errno::ESRCH
      0
    end
    ticks / Etc.sysconf(Etc::SC_CLK_TCK).to_f
  end

  def package(name) = capture("dpkg-query", "-W", "-f", "${Version}", name)

  # Returns the ActiveMQ of its driver's tests.
  def activemq_class_path
    @activemq_class_path ||= begin
      file = File.join(ROOT, "tmp", "activemq.classpath")
      FileUtils.mkdir_p File.dirname(file)
      capture File.join(ROOT, "bin/maven"), "-q", "-pl", "systems/activemq/driver", "-am", "package", "-DskipTests"
      capture File.join(ROOT, "bin/maven"), "-q", "-pl", "systems/activemq/driver", "-am", "package", "-DskipTests",
        "dependency:build-classpath", "-Dmdep.includeScope=test", "-Dmdep.outputFile=#{file}"
      "#{ROOT}/systems/activemq/driver/target/test-classes:#{File.read(file).strip}"
    end
  end
end
