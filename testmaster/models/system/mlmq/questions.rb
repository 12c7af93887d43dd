# The console's queries of MLMQ's tables. They lock and dequeue nothing, and count nothing that could be large: brokers
# report lengths once a second, and scans end after a number of rows.
class System::Mlmq::Questions
  VERSION = Catalogue::FILE.dig("versions", "schema") # of the tables
  PAGE = 50 # rows
  EXAMINED = 5_000 # messages that a filter without an index examines
  COUNTED = 1_000 # leases that are counted one by one
  RECEIVERS = 20 # receivers of a queue whose oldest messages are searched
  BYTES = 4_096 # of a content at once

  NUMBERS = %w[ ms last_id leased next_lease_ends queues messages dead_letters heartbeat seconds_up
    clients about since queue_id length gained dead_letter_queue source age_ms receivers receiver_id prio id sent_ms
    context deliveries bytes sender_id lease_ends subscriptions ] # among the columns of answers

  NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
  NAMED = "LEFT JOIN client owner ON owner.id = q.owner_id"
  QUEUE = <<~SQL
    q.id, q.name, q.owner_id <> 0 AS personal, q.dead, owner.name AS owner, owner.broker_id IS NOT NULL AS owner_online,
    l.messages AS length, l.gained,
    (SELECT count(*) FROM (SELECT FROM lease WHERE lease.queue_id = q.id LIMIT #{COUNTED + 1}) s) AS leased,
    d.id AS dead_letter_queue, dl.messages AS dead_letters
  SQL
  SPAN = ->(ms) do
    units = { "d" => 86_400_000, "h" => 3_600_000, "min" => 60_000 }.map do |unit, size|
      "WHEN mod(#{ms}, #{size}) = 0 THEN #{ms} / #{size} || ' #{unit}'"
    end
    "CASE #{units.join(" ")} ELSE trim_scale(#{ms} / 1000.0) || ' s' END"
  end
  LIMITS = <<~SQL
    concat_ws(', ', most.messages || ' messages', pg_size_pretty(most.bytes),
              CASE WHEN coalesce(most.messages, most.bytes) > 0 AND most.drops THEN 'drops the oldest' END,
              'age ' || #{SPAN["most.age_ms"]}, most.attempts || ' attempts',
              'backoff ' || #{SPAN["most.backoff_ms"]} || coalesce(' to ' || #{SPAN["most.backoff_max_ms"]}, ''))
              AS limits
  SQL
  QUEUES = <<~SQL
    queue q LEFT JOIN queue_length l ON l.queue_id = q.id #{NAMED}
    LEFT JOIN queue d ON d.owner_id = q.owner_id AND d.name = q.name || '.dead' AND d.dead AND NOT q.dead
    LEFT JOIN queue_length dl ON dl.queue_id = d.id
  SQL
  KINDS = { "public" => "q.owner_id = 0 AND NOT q.dead", "personal" => "q.owner_id <> 0 AND NOT q.dead",
    "dead" => "q.dead" }
  POSITION = "queue_id, receiver_id, prio DESC, id"

  def version = VERSION
  def page = PAGE

  def tables
    ask "SELECT version, current_setting('server_version') AS server, #{NOW} AS ms FROM schema_version"
  end

  # Each query returns one row or a few, whatever the size of the tables.
  def figures
    ask <<~SQL
      SELECT #{NOW} AS ms, (SELECT last_value FROM message_id_seq) AS last_id,
             (SELECT count(*) FROM (SELECT FROM lease LIMIT #{COUNTED + 1}) s) AS leased,
             (SELECT extract(epoch FROM min(until) - clock_timestamp()) FROM lease) AS next_lease_ends,
             s.* FROM (
        SELECT count(*) AS queues, count(*) FILTER (WHERE q.owner_id <> 0) AS personal, sum(l.messages)::bigint AS messages,
               coalesce(sum(l.messages) FILTER (WHERE q.dead), 0)::bigint AS dead_letters
        FROM queue q LEFT JOIN queue_length l ON l.queue_id = q.id WHERE NOT q.deleted) s
    SQL
  end

  # Messages that were sent until now have no higher id.
  def last_id
    ask "SELECT last_value AS last_id FROM message_id_seq"
  end

  def brokers
    ask <<~SQL
      SELECT b.id, b.name, b.version, b.heartbeat, #{NOW} AS ms,
             extract(epoch FROM clock_timestamp() - b.started_at)::bigint AS seconds_up,
             (SELECT count(*) FROM client c WHERE c.broker_id = b.id) AS clients
      FROM broker b WHERE b.heartbeat >= 0 ORDER BY b.name LIMIT 200
    SQL
  end

  # Returns an approximate number from the server's statistics.
  def about_clients
    ask "SELECT CASE WHEN reltuples >= 0 THEN reltuples::bigint END AS about FROM pg_class " \
      "WHERE oid = 'client'::regclass"
  end

  # after is the name of the last client on the page before.
  def clients(prefix: nil, online: nil, after: nil, limit: PAGE + 1)
    conditions = [ ("starts_with(c.name, %{prefix}::text)" if prefix), ("c.name > %{after}::text" if after),
      ("c.broker_id IS #{"NOT " if online}NULL" unless online.nil?) ].compact
    ask <<~SQL, prefix: prefix, after: after, limit: limit
      SELECT c.id, c.name, b.name AS broker, extract(epoch FROM clock_timestamp() - c.seen_at)::bigint AS since,
             c.queue_id, l.messages AS length
      FROM client c LEFT JOIN broker b ON b.id = c.broker_id LEFT JOIN queue_length l ON l.queue_id = c.queue_id
      #{"WHERE #{conditions.join(" AND ")}" if conditions.any?} ORDER BY c.name LIMIT %{limit}::int
    SQL
  end

  # after is the name of the last topic on the page before.
  def topics(prefix: nil, after: nil)
    conditions = [ "true", ("starts_with(name, %{prefix}::text)" if prefix), ("name > %{after}::text" if after) ]
    ask <<~SQL, prefix: prefix, after: after
      SELECT id, name, subscriptions, account FROM topic
      WHERE #{conditions.compact.join(" AND ")} ORDER BY name LIMIT #{PAGE + 1}
    SQL
  end

  def topic(id)
    ask "SELECT id, name, subscriptions, account FROM topic WHERE id = %{id}::int", id: id
  end

  # after is the name of the last subscription on the page before.
  def subscriptions(topic, after: nil)
    ask <<~SQL, topic: topic, after: after
      SELECT s.queue_id, s.name, s.filter, c.name AS client, a.account, l.messages AS length
      FROM subscription s LEFT JOIN queue_length l ON l.queue_id = s.queue_id LEFT JOIN client c ON c.id = s.client_id
      LEFT JOIN queue_account a ON a.queue_id = s.queue_id
      WHERE s.topic_id = %{topic}::int #{"AND s.name > %{after}::text" if after} ORDER BY s.name LIMIT #{PAGE + 1}
    SQL
  end

  # after is [ length, id ] or [ name, id ] of the last queue on the page before.
  def queues(after: nil, limit: PAGE + 1, **filter)
    ask "SELECT #{QUEUE} FROM #{QUEUES} #{some_queues(after: after, **filter)}", **values_of(after, limit, filter)
  end

  def queue(id)
    ask <<~SQL, id: id
      SELECT #{QUEUE}, s.id AS source, #{LIMITS}, #{NOW} AS ms FROM #{QUEUES}
      LEFT JOIN queue_limit most ON most.queue_id = q.id
      LEFT JOIN queue s ON q.dead AND s.owner_id = q.owner_id AND s.name || '.dead' = q.name AND NOT s.deleted
      WHERE q.id = %{id}::int AND NOT q.deleted
    SQL
  end

  # Returns the oldest available message of each queue, with an index probe for each of up to ten receivers.
  def oldest(after: nil, limit: PAGE + 1, **filter)
    oldest_of "SELECT q.id FROM #{QUEUES} #{some_queues(after: after, **filter)}", **values_of(after, limit, filter)
  end

  def oldest_of_queue(id)
    oldest_of "SELECT %{id}::int", id: id
  end

  # Returns messages in the order of the index, in which each receiver dequeues them; after is the position of the last
  # one before. A filter without an index examines a limited number of messages; the last row then tells where it
  # stopped.
  def messages(filter, after: nil)
    place = filter[:leased] ? leased(filter, after) : waiting(filter, after)
    ask <<~SQL, **filter, **after.to_h, limit: PAGE + 1
      WITH walked AS MATERIALIZED (SELECT m.*, row_number() OVER (ORDER BY #{place[:order]}) AS n FROM (#{place[:sql]}) m),
      found AS (SELECT * FROM walked WHERE #{residual(filter)} ORDER BY n LIMIT %{limit}::int)
      SELECT x.queue_id, x.receiver_id, x.prio, x.id, x.sent_ms, x.context, x.deliveries, x.bytes, x.matches, x.lease_ends,
             #{NOW} - x.sent_ms AS age_ms, q.name AS queue, sender.name AS sender, receiver.name AS receiver
      FROM (SELECT *, true AS matches FROM found UNION ALL
            SELECT *, false FROM walked WHERE n = #{EXAMINED} AND (SELECT count(*) FROM found) < %{limit}::int) x
      LEFT JOIN queue q ON q.id = x.queue_id LEFT JOIN client sender ON sender.id = x.sender_id
      LEFT JOIN client receiver ON receiver.id = x.receiver_id ORDER BY x.matches DESC, x.n
    SQL
  end

  # position finds the message by the index.
  def message(position, from: 0)
    table, id = position.leased ? [ "lease", "message_id" ] : [ "message", "id" ]
    place = position.leased ? "true" :
      "m.queue_id = %{queue_id}::int AND m.receiver_id = %{receiver_id}::int AND m.prio = %{prio}::int2"
    ask <<~SQL, **position.to_h, from: from
      SELECT m.#{id} AS id, m.queue_id, m.receiver_id, m.prio, m.sent_ms, m.context, m.deliveries, m.sender_id,
             #{position.leased ? "extract(epoch FROM m.until - clock_timestamp())" : "NULL::numeric"} AS lease_ends,
             #{NOW} - m.sent_ms AS age_ms, octet_length(m.content) AS bytes,
             encode(substr(m.content, %{from}::int + 1, #{BYTES}), 'hex') AS hex,
             q.name AS queue, sender.name AS sender, receiver.name AS receiver
      FROM #{table} m LEFT JOIN queue q ON q.id = m.queue_id LEFT JOIN client sender ON sender.id = m.sender_id
      LEFT JOIN client receiver ON receiver.id = m.receiver_id WHERE #{place} AND m.#{id} = %{id}::bigint
    SQL
  end

  private
    def ask(...)
      Console::Question.new(...)
    end

    def some_queues(after:, prefix: nil, kind: nil, sort: nil)
      order, key = sort == "name" ? [ "q.name, q.id", "(q.name, q.id) > (%{value}::text, %{id}::int)" ] :
        [ "coalesce(l.messages, 0) DESC, q.id",
          "(-coalesce(l.messages, 0), q.id) > (-(%{value}::bigint), %{id}::int)" ]
      conditions = [ "NOT q.deleted", ("starts_with(q.name, %{prefix}::text)" if prefix), KINDS[kind],
        (key if after) ].compact
      "WHERE #{conditions.join(" AND ")} ORDER BY #{order} LIMIT %{limit}::int"
    end

    def values_of(after, limit, filter)
      { prefix: filter[:prefix], value: after&.first, id: after&.last, limit: limit }
    end

    def oldest_of(queues, **values)
      ask <<~SQL, **values
        WITH RECURSIVE place AS (
          SELECT q.id AS queue_id, 1 AS n,
                 (SELECT m.receiver_id FROM message m WHERE m.queue_id = q.id ORDER BY m.receiver_id LIMIT 1) AS receiver_id
          FROM (#{queues}) q(id)
          UNION ALL
          SELECT p.queue_id, p.n + 1, (SELECT m.receiver_id FROM message m WHERE m.queue_id = p.queue_id
                 AND m.receiver_id > p.receiver_id ORDER BY m.receiver_id LIMIT 1)
          FROM place p WHERE p.receiver_id IS NOT NULL AND p.n < #{RECEIVERS})
        SELECT p.queue_id, max(#{NOW} - m.sent_ms) FILTER (WHERE m.first) AS age_ms,
               count(DISTINCT p.receiver_id) FILTER (WHERE p.receiver_id <> 0) AS receivers
        FROM place p LEFT JOIN LATERAL (
          SELECT one.sent_ms, row_number() OVER (ORDER BY one.id) = 1 AS first FROM generate_series(1, 10) AS priority(prio),
          LATERAL (SELECT m.id, m.sent_ms FROM message m WHERE m.queue_id = p.queue_id AND m.receiver_id = p.receiver_id
                   AND m.prio = priority.prio ORDER BY m.id LIMIT 1) one) m ON true
        WHERE p.receiver_id IS NOT NULL GROUP BY p.queue_id
      SQL
    end

    COLUMNS = "m.queue_id, m.receiver_id, m.prio, m.sender_id, m.context, m.sent_ms, m.deliveries, " \
      "octet_length(m.content) AS bytes"

    def leased(filter, after)
      conditions = [ "m.message_id > #{after ? "%{id}::bigint" : "0"}",
        queue_of(filter) ].compact
      { order: "id", sql: "SELECT #{COLUMNS}, m.message_id AS id, extract(epoch FROM m.until - clock_timestamp()) AS " \
        "lease_ends FROM lease m WHERE #{conditions.join(" AND ")} ORDER BY m.message_id LIMIT #{EXAMINED}" }
    end

    # A public queue takes precedence over a personal one of the same name.
    def queue_of(filter)
      case
      when filter[:queue]      then "m.queue_id = %{queue}::int"
      when filter[:queue_name] then "m.queue_id = (SELECT id FROM queue WHERE name = %{queue_name}::text " \
        "AND NOT deleted ORDER BY owner_id LIMIT 1)"
      end
    end

    # The index is entered after the end of the last page: with a sorted range for each column of the position.
    def waiting(filter, after)
      fixed = [ queue_of(filter) ].compact
      fixed << "m.receiver_id <> 0 AND m.receiver_id = (SELECT id FROM client WHERE name = %{receiver}::text)" if
        filter[:receiver]
      fixed << "m.receiver_id = 0" if filter[:anybody]
      fixed << "m.context <> 0 AND m.context = %{context}::bigint" if filter[:context] && !queue_of(filter)
      limit = (filter.keys & %i[ sender context priority ]).any? { |name| filter[name] } ? EXAMINED : PAGE + 1
      ranges = after ? ranges_behind : [ nil ]
      rows = ranges.map { |range|
        where = [ *fixed, *range ]
        "(SELECT #{COLUMNS}, m.id, NULL::numeric AS lease_ends FROM message m " \
          "#{"WHERE #{where.join(" AND ")}" if where.any?} ORDER BY #{POSITION} LIMIT #{limit})" }
      { order: POSITION, sql: "SELECT * FROM (#{rows.join(" UNION ALL ")}) r ORDER BY #{POSITION} LIMIT #{limit}" }
    end

    def ranges_behind
      queue, receiver = "m.queue_id = %{queue_id}::int", "m.receiver_id = %{receiver_id}::int"
      [ "#{queue} AND #{receiver} AND m.prio = %{prio}::int2 AND m.id > %{id}::bigint",
        "#{queue} AND #{receiver} AND m.prio < %{prio}::int2", "#{queue} AND m.receiver_id > %{receiver_id}::int",
        "m.queue_id > %{queue_id}::int" ]
    end

    def residual(filter)
      [ "true", ("sender_id = (SELECT id FROM client WHERE name = %{sender}::text)" if filter[:sender]),
        ("receiver_id = (SELECT id FROM client WHERE name = %{receiver}::text)" if filter[:receiver]),
        ("receiver_id = 0" if filter[:anybody]), ("context = %{context}::bigint" if filter[:context]),
        ("prio = %{priority}::int2" if filter[:priority]) ].compact.join(" AND ")
    end
end
