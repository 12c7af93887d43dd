# What is read from the database of a run for its zip: what is left at the end, and the server's counters while it runs.
module TestRun::Database::Readings
  extend ActiveSupport::Concern

  LEFT = <<~SQL.squish
    SELECT place, m.id, q.name AS queue, owner.name AS queue_of, sender.name AS sender, receiver.name AS receiver, prio, context, sent_ms, deliveries,
           octet_length(content) AS bytes, encode(substr(content, 1, 64), 'hex') AS content_begins
    FROM (SELECT 'message' AS place, id, queue_id, receiver_id, sender_id, prio, context, sent_ms, deliveries, content FROM message
          UNION ALL
          SELECT 'lease', message_id, queue_id, receiver_id, sender_id, prio, context, sent_ms, deliveries, content FROM lease) m
    LEFT JOIN queue q ON q.id = m.queue_id
    LEFT JOIN client owner ON owner.id = q.owner_id
    LEFT JOIN client sender ON sender.id = m.sender_id
    LEFT JOIN client receiver ON receiver.id = m.receiver_id
    ORDER BY m.id
  SQL
  NOW = "(extract(epoch from clock_timestamp()) * 1000)::bigint AS ms"
  COUNTERS = {
    "database_stats.csv" => "SELECT #{NOW}, d.* FROM pg_stat_database d WHERE datname = current_database()",
    "table_stats.csv" => "SELECT #{NOW}, t.*, io.heap_blks_read, io.heap_blks_hit, io.idx_blks_read, io.idx_blks_hit FROM pg_stat_user_tables t JOIN pg_statio_user_tables io USING (relid)",
    "queue_lengths.csv" => <<~SQL.squish
      SELECT (extract(epoch from now()) * 1000)::bigint AS ms, q.name AS queue, owner.name AS queue_of, l.messages
      FROM queue_length l JOIN queue q ON q.id = l.queue_id LEFT JOIN client owner ON owner.id = q.owner_id WHERE NOT q.deleted ORDER BY q.id
    SQL
  }

  included { class_attribute :longest_dump, default: 16.gigabytes }

  # A line for each message that is left. A server on a machine may talk for ever.
  def dump(io)
    server.copy name, csv(LEFT, header: true), Machine::Shell::Bounded.new(io, longest_dump)
  end

  # Adds the counters of this moment to files of a folder. The machine that is measured is asked once for all of them.
  def count(folder)
    files = COUNTERS.keys.map { |name| folder.join(name) }
    said = server.read(name, COUNTERS.values.zip(files).map { |sql, file| csv(sql, header: !file.size?) })
    files.zip(said) { |file, text| file.open("ab") { |io| io << text } }
  end

  private
    def csv(sql, header:)
      "COPY (#{sql}) TO STDOUT WITH (FORMAT csv#{", HEADER" if header})"
    end
end
