require_relative "broker_bench"

# Publishes through the broker, to durable subscriptions that nobody takes from. pgbench inserts as many rows.
class TopicsBench < BrokerBench
  GRADES = [ 1, 10, 40 ]
  OTHERS = [ 5, 160 ]
  MANY = 10_000
  CLIENTS = 64

  # r subscriptions get each message, n others none. The overall rate counts publishes and copies.
  def copies(grade, others)
    name = "r#{grade}_n#{others}"
    with_subscriptions(name, grade, others) do |brokers|
      rounds = Bench::Rounds.new(@rounds)
      rounds.add("pgbench_#{name}", "publishes and copies/s") { pgbench_copies_rate(grade) * (1 + grade) }
      rounds.add("publish_#{name}", "publishes and copies/s") { overall_rate(name, brokers, grade) }
      rounds.run.ratio("overall_vs_pgbench_#{name}", "publish_#{name}", "pgbench_#{name}")
    end
  end

  # Of many subscriptions with different filters for equality, one gets each message.
  def many(number)
    with_subscriptions("one", 1, 0) do |one|
      with_subscriptions("many", 1, number - 1) do |many|
        rounds = Bench::Rounds.new(@rounds)
        rounds.add("subscriptions_1", "publishes/s") { publish("one", one)["rate"] }
        rounds.add("subscriptions_#{number}", "publishes/s") { publish("many", many)["rate"] }
        rounds.run.ratio("subscriptions#{number}_vs_one", "subscriptions_#{number}", "subscriptions_1")
      end
    end
  end

  private
    def with_subscriptions(name, matching, others)
      with_brokers(name, 1) do |brokers|
        settings = { "client.topic.matching" => matching, "client.topic.others" => others,
          "client.topic.durable" => true, "client.connect.within" => "10min" }
        load(name, brokers, clients: 1, seconds: 1, scenario: "Subscriber", settings:)
        yield brokers
      end
    end

    def overall_rate(name, brokers, grade)
      figures = publish(name, brokers)
      published, copied = figures["messages"].values_at("published_rate", "sent_rate")
      unless (copied - published * grade).abs < 0.01 * published * grade
        raise Bench::Error, "#{name}: #{copied} copies of #{published} messages a second"
      end
      published + copied
    end

    def publish(name, brokers)
      load(name, brokers, clients: CLIENTS, scenario: "Publisher")
    end

    def pgbench_copies_rate(grade)
      Bench.capture(@postgresql.program("pgbench"), "-n", "-M", "prepared", "-c", 32, "-j", 2, "-T", @seconds, "-D",
        "copies=#{grade}", "-f", File.join(Bench::ROOT, "bench/pgbench/copies.sql"), "pgbench",
        env: @postgresql.env)[/^tps = ([\d.]+)/, 1].to_f
    end
end
