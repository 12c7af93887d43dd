# Provides the common parts of the programs in bench/: private servers, alternating rounds, and the lines of results.
require "etc"
require "fileutils"
require "json"
require "optparse"
require "socket"
require "tempfile"
require "tmpdir"

module Bench
  ROOT = File.expand_path("..", __dir__)

  class Error < StandardError; end

  module_function

  # Runs the block with a folder for its servers, prints an error as one line, and deletes everything at the end.
  def run(&block)
    Signal.trap("TERM") { exit 143 }
    Dir.mktmpdir("mlmq-bench", "/var/tmp") do |directory|
      FileUtils.chmod 0755, directory
      block.call directory
    end
  rescue Error, SystemCallError => error
    abort "#{File.basename($PROGRAM_NAME)}: #{error.message}"
  rescue Interrupt
    exit 130
  end

  def free_port
    TCPServer.open("127.0.0.1", 0) { |server| server.addr[1] }
  end

  # Output goes to files, not to pipes: if the bench is interrupted, no reading thread is left, and the command is
  # ended.
  def capture(*command, env: {})
    Tempfile.create do |output|
      Tempfile.create do |errors|
        status = wait_for spawn(env, *command.map(&:to_s), in: File::NULL, out: output, err: errors)
        said = [ errors, output ].map { |file| file.rewind && file.read }
        return said.last if status.success?

        raise Error, "#{command.first(3).join(" ")}… failed: #{said.join.strip.lines.last(5).join}"
      end
    end
  end

  def wait_for(pid)
    _, status = Process.wait2(pid)
    status
  ensure
    unless status
      Process.kill :TERM, pid
      Process.wait pid
    end
  end

  def until_true(what, seconds: 30)
    deadline = now + seconds
    until yield
      raise Error, "#{what} in #{seconds} s" if now > deadline
      sleep 0.05
    end
  end

  def now
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  def median(values)
    sorted = values.sort
    (sorted[(sorted.size - 1) / 2] + sorted[sorted.size / 2]) / 2.0
  end

  # Runs measurements in turns: each round contains each of them once, so that a noisy machine affects all alike.
  class Rounds
    def initialize(count)
      @count = count
      @measures = {}
    end

    # The block returns a figure.
    def add(name, unit, &block)
      @measures[name] = { unit:, block:, values: [] }
    end

    def run
      @count.times do |round|
        @measures.each do |name, measure|
          measure[:values] << measure[:block].call
          warn format("  round %d of %d  %-32s %s %s", round + 1, @count, name, Bench.figure(measure[:values].last),
            measure[:unit])
        end
      end
      @measures.each do |name, measure|
        puts "#{name} #{Bench.summary(measure[:values])} #{measure[:unit]} #{Bench.range(measure[:values])}"
      end
      self
    end

    # Prints the median of the rounds' ratios: both figures of a ratio come from the same minute.
    def ratio(name, of, to)
      ratios = @measures.fetch(of)[:values].zip(@measures.fetch(to)[:values]).map { |a, b| a / b.to_f }
      Bench.ratio name, Bench.median(ratios), Bench.range(ratios)
    end
  end

  def ratio(name, value, range = nil)
    ratios << [ "ratio #{name}", format("%.2f", value), range ].compact.join(" ")
    puts ratios.last
  end

  # Returns all ratios of this run, in order.
  def ratios
    @ratios ||= []
  end

  def figure(value)
    value.abs >= 100 ? value.round.to_s : format("%.2f", value)
  end

  def summary(values)
    figure median(values)
  end

  def range(values)
    "(#{figure values.min}..#{figure values.max})"
  end

  # A private PostgreSQL cluster, configured like Debian's except for the settings below.
  class Postgresql
    attr_reader :port, :user, :password

    def self.open(directory, settings = {})
      cluster = new(directory, settings)
      cluster.start
      yield cluster
    ensure
      cluster&.stop
    end

    def initialize(directory, settings)
      @data = File.join(directory, "postgresql")
      @settings = { shared_buffers: "512MB", max_wal_size: "4GB", max_connections: 200, listen_addresses: "'127.0.0.1'",
        unix_socket_directories: "''" }.merge(settings)
      @port = Bench.free_port
      @user = "mlmq"
      @password = "mlmq"
    end

    def start
      Bench.need program("initdb"), "bin/setup"
      FileUtils.mkdir_p @data
      FileUtils.chown "postgres", "postgres", @data if Process.uid.zero?
      password_file = "#{@data}.password"
      File.write password_file, password
      Bench.capture(*as, program("initdb"), "-D", @data, "--username=#{user}", "--auth=scram-sha-256",
        "--pwfile=#{password_file}", "--encoding=UTF8", "--locale=C.UTF-8")
      File.open(File.join(@data, "postgresql.conf"), "a") do |conf|
        @settings.each { |key, value| conf.puts "#{key} = #{value}" }
      end
      Bench.capture(*as, program("pg_ctl"), "-D", @data, "-l", File.join(@data, "server.log"), "-o", "-p #{port}", "-w",
        "start")
    end

    def stop
      if Dir.exist?(@data)
        system(*as, program("pg_ctl"), "-D", @data, "-m", "immediate", "-w", "stop", out: File::NULL, err: File::NULL)
      end
    end

    def env
      {
        "PGHOST" => "127.0.0.1", "PGPORT" => port.to_s, "PGUSER" => user, "PGPASSWORD" => password,
        "MLMQ_DB_PASSWORD" => password
      }
    end

    def url(database)
      "jdbc:postgresql://127.0.0.1:#{port}/#{database}"
    end

    def query(database, sql)
      Bench.capture("psql", "-d", database, "-XAtqc", sql, env:).strip
    end

    def program(name)
      Dir["/usr/lib/postgresql/*/bin/#{name}"].max || name
    end

    private
      def as
        Process.uid.zero? ? %w[ setpriv --reuid=postgres --regid=postgres --init-groups -- ] : []
      end
  end

  # A program that runs beside the bench and ends with it.
  class Server
    attr_reader :pid, :log

    def self.open(log, *command, env: {}, ready:)
      server = new(log, *command, env:)
      server.await(&ready)
      yield server
    ensure
      server&.stop
    end

    def initialize(log, *command, env: {})
      @log = log
      @pid = Process.spawn(env, *command.map(&:to_s), out: log, err: [ :child, :out ], in: File::NULL)
    end

    def await(seconds: 30)
      Bench.until_true("#{log} is not ready", seconds:) do
        raise Error, "a server ended: #{File.readlines(log).last(3).join}" if Process.waitpid(pid, Process::WNOHANG)
        yield self
      end
    end

    # Returns the peak of resident memory in bytes.
    def peak_memory
      File.read("/proc/#{pid}/status")[/VmHWM:\s+(\d+)/, 1].to_i * 1024
    end

    def stop
      Process.kill "TERM", pid
      Process.wait pid
    rescue Errno::ESRCH, Errno::ECHILD
      nil
    end
  end

  def listening?(port)
    TCPSocket.open("127.0.0.1", port).close
    true
  rescue SystemCallError
    false
  end

  # The jar is built if it is missing or older than its sources.
  def jar(name)
    artifact(name, "#{name}.jar")
  end

  def artifact(project, file)
    path = File.join(ROOT, project, "target", file)
    sources = Dir[File.join(ROOT, project, "src/main/**/*"), File.join(ROOT, "mlmq_client/src/main/**/*")]
    unless File.exist?(path) && sources.all? { |source| File.mtime(source) <= File.mtime(path) }
      warn "building #{file}"
      capture File.join(ROOT, "bin/maven"), "-q", "-pl", project, "-am", "package", "-DskipTests"
    end
    path
  end

  def need(program, setup)
    folders = [ "", *ENV["PATH"].split(":") ]
    folders.any? { |folder| File.executable?(File.join(folder, program)) } or
      raise Error, "#{program} is not installed. Run: #{setup}"
  end
end
