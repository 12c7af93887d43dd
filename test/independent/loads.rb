require_relative "../../bench/support"

module Independent
  # Produces logs of real loads of two JVMs on a broker with messages in memory.
  class Loads
    MIX = %w[ Mix Mix ]
    PHASES = "client.load=before: 3s; outage: 3s%s; drain: 4s"
    KINDS = {
      "closed, one in 5 recorded" => [ MIX, "--clients", 4, "--think-time", "exponential 2ms",
        "--set", "common.performancelogger.sample=5" ],
      "a ramp" => [ MIX, "--clients", 8, "--poisson", "--rate", "50/s to 400/s over 4s" ],
      "a broker that stands still" => [ MIX, "--clients", 8, "--inflight", 2, "--rate", "300/s" ],
      "subscribers that join" => [ %w[ Subscriber Publisher ], "--clients", 1, "--think-time", "5ms",
        "--set", "client.topic.matching=4", "--set", "client.steps=+3 clients every 1s up to 4" ],
      "takers that pause" => [ %w[ PublicQueueConsumer PublicQueueProducer ], "--clients", 4 ],
      "a client JVM that is killed" => [ MIX, "--clients", 8, "--rate", "300/s" ]
    }
    OF_EACH = { "takers that pause" => [ [ "--rate", "500/s", "--set", PHASES % " paused" ],
      [ "--rate", "200/s", "--set", PHASES % "" ] ] }

    def initialize(directory)
      @directory = directory
    end

    def each
      KINDS.each do |name, (scenarios, *options)|
        folder = Dir.mktmpdir("load", @directory)
        with_broker { |port, broker| load_on port, broker, scenarios, options, name, folder }
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

      def load_on(port, broker, scenarios, options, name, folder)
        start = ((Time.now.to_f + 5) * 1_000).round
        mapping = scenarios.map { |scenario| "#{scenario}#localhost" }.join(";")
        jvms = scenarios.each_with_index.map do |scenario, position|
          logs = FileUtils.mkdir_p(File.join(folder, "client_#{position}")).first
          spawn "java", "-jar", Bench.jar("mlmq"), "load", "--broker", "127.0.0.1:#{port}",
            "--scenario", scenario, "--duration", OF_EACH.key?(name) ? "10s" : "4s", "--log", logs,
            "--set", "common.scenario.mapping.client=#{mapping}", "--set", "common.scenario.myposition=#{position}",
            "--set", "client.start.at=#{start}", *options.map(&:to_s), *OF_EACH.dig(name, position),
            out: File::NULL, err: File.join(folder, "errors_#{position}"), in: File::NULL
        end
        disturb name, broker, jvms, File.join(folder, "client_0/performance_client_0.log")
        await jvms, name, folder
      end

      def await(jvms, name, folder)
        jvms.each_with_index do |pid, position|
          status = Process.wait2(pid).last
          killed = name.include?("killed") && pid == jvms.last && status.termsig == Signal.list["KILL"]
          raise "#{name}: #{File.read(File.join(folder, "errors_#{position}"))}" unless status.success? || killed
        end
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
