# Creates and reads the tables in which brokers keep messages.
module System::Mlmq::Tables
  JAVA = %w[ java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar ]
  IN_TABLES, ON_TABLES = "postgresql", "DatabaseOnly" # the storage, and the scenario that needs no broker
  MESSAGES_LEFT = <<~SQL.squish
    SELECT place, m.id, q.name AS queue, owner.name AS queue_of, sender.name AS sender, receiver.name AS receiver, prio,
           context, sent_ms, deliveries, octet_length(content) AS bytes,
           encode(substr(content, 1, 64), 'hex') AS content_begins
    FROM (SELECT 'message' AS place, id, queue_id, receiver_id, sender_id, prio, context, sent_ms, deliveries, content
          FROM message
          UNION ALL
          SELECT 'lease', message_id, queue_id, receiver_id, sender_id, prio, context, sent_ms, deliveries, content
          FROM lease) m
    LEFT JOIN queue q ON q.id = m.queue_id
    LEFT JOIN client owner ON owner.id = q.owner_id
    LEFT JOIN client sender ON sender.id = m.sender_id
    LEFT JOIN client receiver ON receiver.id = m.receiver_id
    ORDER BY m.id
  SQL
  QUEUE_LENGTHS = <<~SQL.squish
    SELECT (extract(epoch from now()) * 1000)::bigint AS ms, q.name AS queue, owner.name AS queue_of, l.messages
    FROM queue_length l JOIN queue q ON q.id = l.queue_id LEFT JOIN client owner ON owner.id = q.owner_id
    WHERE NOT q.deleted ORDER BY q.id
  SQL

  # Returns why settings of the tables have no effect, or nil.
  def complaint_about_tables(definition)
    given = definition.database_settings.keys & Definition::DatabaseSettings::OURS
    kept = definition.broker_groups.map { |group| group.setting("storage") }.uniq
    return if given.empty? || definition.system != self || kept.include?(IN_TABLES) ||
      definition.client_groups.any? { |group| group.scenario == ON_TABLES }

    "#{given.to_sentence} has no effect, as brokers keep messages with storage=#{kept.to_sentence}"
  end

  # fill is "20,6000,100": the initial queues, messages and clients. indexes says whether messages have any,
  # database_made whether the database exists already.
  def making_tables(url:, name:, user:, fill:, indexes:, database_made:)
    [ *JAVA, jar, "dbscript",
      "-url", url, "-db", name, "-user", user, *(%w[ -dropDatabase -createDatabase ] unless database_made),
      "-createTables", *("-withoutIndexes" unless indexes), *([ "-fill", fill ] if fill) ]
  end

  # password says whether the command reads one from standard input; otherwise the user signs in by a certificate.
  def making_user(name, password:, **account)
    [ *user_command("add", account), name, *("--no-password" unless password) ]
  end

  # rights is "send on queue 'orders.%' to alice".
  def granting(rights, **account)
    [ *user_command("grant", account), rights ]
  end

  def messages_left
    MESSAGES_LEFT
  end

  def questions
    System::Mlmq::Questions.new
  end

  def changes
    System::Mlmq::Changes.new
  end

  def counters
    { "queue_lengths.csv" => QUEUE_LENGTHS }
  end
  private
    def user_command(verb, account)
      [ *JAVA, jar, "user", verb, "--url", account.fetch(:url), "--db-user", account.fetch(:user) ]
    end
end
