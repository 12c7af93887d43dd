require_relative "../../bench/support"

module Independent
  # Produces logs of real loads on a broker with messages in memory.
  class Loads
    KINDS = {
      "closed, one in 5 recorded" => [ "--clients", 4, "--think-time", "exponential 2ms",
        "--set", "common.performancelogger.sample=5" ],
      "a ramp" => [ "--clients", 8, "--poisson", "--rate", "50/s to 400/s over 4s" ],
      "a broker that stands still" => [ "--clients", 8, "--inflight", 2, "--rate", "300/s" ],
      "subscribers that join" => [ "--clients", 1, "--think-time", "5ms", "--set", "client.topic.matching=4",
        "--set", "client.steps=+3 clients every 1s up to 4" ],
      "a client JVM that is killed" => [ "--clients", 8, "--rate", "300/s" ]
    }

    def initialize(directory)
      @directory = directory
    end

    def each
      KINDS.each do |name, options|
        folder = Dir.mktmpdir("load", @directory)
        with_broker { |port, broker| load_on port, broker, options, name, folder }
        yield name, folder
      end
    end

    private
      def with_broker
        port = Bench.free_port
        command = [ "java", "-jar", Bench.jar("mlmq"), "broker", "--port", port, "--storage", "memory" ]
        Bench::Server.open(File.join(@directory, "broker.log"), *command,
          ready: ->(_) { Bench.listening?(port) }) { |broker| yield port, broker }
      end

      def load_on(port, broker, options, name, folder)
        jvms = 2.times.map do |position|
          logs = FileUtils.mkdir_p(File.join(folder, "client_#{position}")).first
          spawn "java", "-jar", Bench.jar("mlmq"), "load", "--broker", "127.0.0.1:#{port}",
            "--scenario", name.include?("subscribers") ? %w[ Subscriber Publisher ][position] : "Mix",
            "--duration", "4s", "--log", logs, "--set", "common.scenario.myposition=#{position}", *options.map(&:to_s),
            out: File::NULL, err: File::NULL, in: File::NULL
        end
        disturb name, broker, jvms, File.join(folder, "client_0/performance_client_0.log")
        jvms.each { |pid| Process.wait pid }
      end

      # Once there is load, kills a client JVM or stalls the broker.
      def disturb(name, broker, jvms, log)
        return unless name.match?(/still|killed/)

        Bench.until_true("no load") { File.size?(log).to_i > 20_000 }
        return Process.kill(:KILL, jvms.last) if name.include?("killed")

        Process.kill :STOP, broker.pid
        sleep 0.6
        Process.kill :CONT, broker.pid
      end
  end
end
