# Reads the data of each page of a console, and adds rates from earlier readings.
module Console::Pages
  FIRST = 20 # of the longest queues, shown beside the figures

  def overview
    look_with_rates figures: questions.figures, brokers: questions.brokers, clients: questions.about_clients,
      queues: questions.queues(limit: FIRST), oldest: questions.oldest(limit: FIRST)
  end

  def brokers
    look_with_rates brokers: questions.brokers
  end

  def queues(filter)
    look_with_rates queues: questions.queues(**filter), oldest: questions.oldest(**filter)
  end

  def clients(filter)
    look about: questions.about_clients, clients: questions.clients(**filter)
  end

  def topics(filter)
    look topics: questions.topics(**filter)
  end

  def topic(id, after: nil)
    look topic: questions.topic(id), subscriptions: questions.subscriptions(id, after: after)
  end

  def queue(id)
    look_with_rates queues: questions.queue(id), oldest: questions.oldest_of_queue(id),
      messages: questions.messages({ queue: id })
  end

  def messages(filter, after: nil)
    look messages: questions.messages(filter, after: after)
  end

  def message(position, from: 0)
    look message: questions.message(position, from: from)
  end

  private
    def look_with_rates(**asked)
      look(**asked).tap do |look|
        earlier = Console::Earlier.new(owner)
        add_oldest look
        add_rates look, earlier
        earlier.keep look
      end
    end

    def add_oldest(look)
      return unless look[:queues]&.rows

      found = look[:oldest].rows&.index_by { |row| row["queue_id"] }
      look.rows(:queues).each do |queue|
        queue.merge! found&.fetch(queue["id"], nil)&.slice("age_ms", "receivers") || { "age_ms" => nil,
          "receivers" => (0 if found) }
      end
    end

    def add_rates(look, earlier)
      ms = look[:tables].row&.fetch("ms")
      look[:queues]&.rows&.each do |queue|
        add_rates_of_queue queue, earlier, ms
      end
      look[:brokers]&.rows&.each do |broker|
        broker["beats"] = earlier.rate("broker #{broker["id"]}", broker["heartbeat"], ms)
      end
      look[:figures]&.row&.then do |figures|
        figures["sent"] = earlier.rate("sent", figures["last_id"], ms)
        figures["growth"] = earlier.rate("messages", figures["messages"], ms)
      end
    end

    # A rate is negative if the database was recreated or lengths were counted again; it is left out.
    def add_rates_of_queue(queue, earlier, ms)
      growth = earlier.rate("queue #{queue["id"]}", queue["length"], ms)
      gained = earlier.rate("gained #{queue["id"]}", queue["gained"], ms)
      lost = gained&.merge("per_second" => (gained["per_second"] - growth["per_second"]).round(2)) if growth
      queue.merge! "growth" => growth,
        **{ "in" => gained, "out" => lost }.transform_values { |rate| rate unless rate&.dig("per_second")&.negative? }
    end
end
