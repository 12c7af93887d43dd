# Measures topics: publishers publish as fast as they can, or at a rate, while subscribers receive and acknowledge each
# copy of their durable subscriptions.
module PublishedBench
  COPIES = [ 1, 10, 40 ]
  OTHERS = 10
  PUBLISHERS = 16
  MOST_SUBSCRIBERS = 16
  BATCH = 100 # copies that a subscriber receives at most at once, as publishers would outrun it otherwise
  SLOW = 10 # copies of a message when times are measured

  # Two JVMs are ready within this time, and then begin at the same instant.
  STARTING = 8
  APART = 0.1
  DRAINED_WITHIN = 60 # loads of subscribers alone

  # Overall is what a system takes in and hands out: published messages and received copies.
  def topics
    (@copies || (@quick ? [ SLOW ] : COPIES)).each do |copies|
      kept_up = compare_published(copies)
      compare_delays (@rate || kept_up.min / 2).floor if copies == SLOW
    end
  end

  private
    def publishing = @names - %w[ pgmq_pop pgmq_archive mlmq_consume ]

    # Returns for each system how many messages a second are published or, if these are fewer, received.
    def compare_published(copies)
      rounds = Bench::Rounds.new(@rounds)
      figures = {}
      publishing.each do |name|
        rounds.add("#{name}_topics_r#{copies}", "published and received/s") do
          figures[name] = publish(name, copies)
          figures[name].sum
        end
        rounds.add("#{name}_published_r#{copies}", "published/s") { figures[name].first }
      end
      rounds.run
      others_of publishing do |name|
        rounds.ratio("mlmq_vs_#{name}_topics_r#{copies}", "mlmq_topics_r#{copies}", "#{name}_topics_r#{copies}")
      end
      figures.values.map { |published, received| [ published, received / copies ].min }
    end

    def compare_delays(rate)
      puts "topics_rate #{rate} messages/s, #{SLOW} copies of each"
      publishing.each { |name| delays(name, rate, seconds: BrokersBench::WARMING_UP) }
      rounds = Bench::Rounds.new(@rounds)
      times = {}
      publishing.each do |name|
        rounds.add("#{name}_e2e_p50", "us") do
          (times[name] = delays(name, rate))["p50"]
        end
        rounds.add("#{name}_e2e_p99", "us") { times[name]["p99"] }
      end
      rounds.run
      others_of(publishing) { |name| rounds.ratio("#{name}_e2e_p99_vs_mlmq", "#{name}_e2e_p99", "mlmq_e2e_p99") }
    end

    # Returns times from publishing to receiving.
    def delays(name, rate, **options)
      empty_subscriptions name, SLOW
      times = published_and_received(name, SLOW, rate:, **options).last["e2e"]
      raise Bench::Error, "#{name}: no copy of a message of this load was received" if times["count"].zero?
      times
    end

    # Returns messages published and copies received a second.
    def publish(name, copies)
      empty_subscriptions name, copies
      published, received = published_and_received(name, copies)
      [ published["messages"]["published_rate"], received["messages"]["received_rate"] ]
    end

    # Returns the figures of the publishers and of the subscribers, over the same seconds.
    def published_and_received(name, copies, rate: nil, seconds: @seconds)
      start = ((Time.now.to_f + STARTING) * 1_000).round
      subscribers = [ copies, MOST_SUBSCRIBERS ].min
      receiving = Thread.new { topic_load(name, "Subscriber", copies, subscribers, seconds:, start:) }
      figures = [ topic_load(name, "Publisher", copies, PUBLISHERS, rate:, seconds:, start:), receiving.value ]
      begun = figures.map { |it| it["started_ms"] / 1_000.0 }
      raise Bench::Error, "#{name}: began #{begun.max - begun.min} s apart" if begun.max - begun.min > APART
      figures
    end

    def empty_subscriptions(name, copies)
      subscribers = [ copies, MOST_SUBSCRIBERS ].min
      DRAINED_WITHIN.times do
        return if topic_load(name, "Subscriber", copies, subscribers, warmup: 0, seconds: 2)["received"].zero?
      end
      raise Bench::Error, "#{name}: subscriptions are not empty after #{DRAINED_WITHIN} loads"
    end

    def topic_load(name, scenario, copies, clients, start: nil, **options)
      set = { "client.topic.matching" => copies, "client.topic.others" => OTHERS, "client.topic.durable" => true,
        "client.batch" => BATCH }
      set["client.start.at"] = start if start
      run(name, clients:, prefix: "topics#{copies}", scenario:, set:, **options)
    end

    def others_of(names, &)
      (names - [ "mlmq" ]).each(&) if names.include?("mlmq")
    end
end
