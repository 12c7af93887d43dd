# Estimates how much disk of this machine a run needs: for recorded logs, their compressed copies, the zip, and the data
# of the Testmaster's own PostgreSQL.
module Definition::Weighed
  # Bytes of a recorded request in the log of a client, which takes one message at most, and of a broker of ours, and
  # bytes that a JVM logs per second beside them.
  OF_CLIENT, OF_BROKER, OF_JVM = 95, 320, 1_000
  OF_RECEIPT = 66 # bytes of each further message that a request takes
  BULK = { "Only#dequeueMessages" => 100 } # messages, at most
  COMPRESSED = 0.18 # share of the logs
  COPIES = 3 # copies at the same time: from the machines, the zip, and the zip in storage
  RECORDING = 64.megabytes # of a profiled JVM, at most
  OF_MESSAGE = 300 # bytes of a row with its indexes, beside the content
  OF_WAL = 1.kilobyte # of a request
  GUESSED_RATE = 5_000 # 1/s, if neither the definition nor an earlier run tells one
  SENDERS, TAKERS = %w[ PublicQueueProducer Fill ], %w[ PublicQueueConsumer ]

  # The server is asked for its setting once.
  def self.max_wal_bytes
    @max_wal_bytes ||=
      ApplicationRecord.connection.select_value("SELECT pg_size_bytes(current_setting('max_wal_size'))").to_i
  end

  # Returns the largest number of bytes needed at the same time.
  def disk_needed
    (provider.nil? || provider.one_machine? ? log_bytes : 0) + COPIES * zip_bytes + database_bytes
  end

  # Returns the bytes of the logs on the machines of the run.
  def log_bytes
    jvms = groups_with_jvms.sum(&:jvms_in_all)
    recorded_bytes + jvms * seconds_recorded * OF_JVM + profiled_jvms * RECORDING
  end

  def zip_bytes
    (log_bytes * COMPRESSED).ceil
  end

  # Returns the bytes that the run needs in the Testmaster's own server.
  def database_bytes
    return 0 unless in_database? && database == "embedded"

    stored = [ rate_of(SENDERS) - rate_of(TAKERS), 0 ].max * seconds_recorded + messages_filled
    wal = [ expected_rate * seconds_recorded * OF_WAL, Definition::Weighed.max_wal_bytes ].min
    (stored * (OF_MESSAGE + largest_message) + wal).ceil
  end

  # Returns the rate [1/s] of the definition, or that of the fastest of the latest runs.
  def expected_rate
    offered_load || provider&.usual_rate || GUESSED_RATE
  end

  private
    def seconds_recorded
      duration.to_i
    end

    def recorded_bytes
      a_request = (of_client * share_recorded(client_groups)) +
        (system&.default? ? OF_BROKER * share_recorded(broker_groups) : 0)
      (expected_rate * seconds_recorded * a_request).ceil
    end

    def of_client
      OF_CLIENT + OF_RECEIPT * (client_groups.map { |group| BULK.fetch(group.scenario, 1) }.max.to_i - 1).clamp(0..)
    end

    # If one group records every request and another every tenth, the first counts.
    def share_recorded(groups)
      groups.map { |group| share_of_sample(group.settings["common.performancelogger.sample"].presence) }.max || 1
    end

    def share_of_sample(every)
      every = Integer(every.to_s, 10, exception: false) || 1
      every.positive? ? 1.0 / every : 0
    end

    def profiled_jvms
      groups_with_jvms.select(&:profile).sum(&:jvms_in_all)
    end

    def rate_of(scenarios)
      groups = client_groups.select { |group| group.scenario.in? scenarios }
      rates = groups.map { |group| offered_by(group) || expected_rate * groups.size / client_groups.size }
      rates.sum
    end

    def largest_message
      client_groups.flat_map { |group| Scenario::Setting.numbers_in(group.settings["message.size"]) }.max || 100
    end

    def messages_filled
      database_settings["fill"].to_s.split(",")[1].to_i
    end
end
