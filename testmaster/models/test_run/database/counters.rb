require "csv"

# The server's counters of a run's database at one time.
class TestRun::Database::Counters
  # pg_stat_activity has the present state of the server; WAL is counted for the whole server.
  SQL = <<~SQL.squish
    SELECT extract(epoch from clock_timestamp()) AS seconds, d.xact_commit AS commits, d.xact_rollback AS rollbacks,
      d.tup_inserted AS inserted, d.tup_updated AS updated, d.tup_deleted AS deleted, d.tup_fetched AS fetched,
      d.blks_hit AS hit, d.blks_read AS read,
      CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') END AS wal,
      (SELECT coalesce(sum(n_dead_tup), 0) FROM pg_stat_user_tables) AS dead, a.*, l.*
    FROM pg_stat_database d,
      (SELECT count(*) FILTER (WHERE wait_event_type = 'Lock') AS wait_lock,
        count(*) FILTER (WHERE wait_event_type = 'LWLock') AS wait_lwlock,
        count(*) FILTER (WHERE wait_event_type = 'IO') AS wait_io,
        count(*) FILTER (WHERE wait_event_type NOT IN ('Lock', 'LWLock', 'IO', 'Client', 'Activity')) AS wait_other
        FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()) a,
      (SELECT count(*) FILTER (WHERE granted) AS locks_held, count(*) FILTER (WHERE NOT granted) AS locks_awaited
        FROM pg_locks WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND pid <> pg_backend_pid()) l
    WHERE d.datname = current_database()
  SQL
  RATES = %w[ commits rollbacks inserted updated deleted fetched wal ]
  MOMENTARY = %w[ dead wait_lock wait_lwlock wait_io wait_other locks_held locks_awaited ]
  FAR = 1e18 # values beyond it are ignored
  LONGEST = 30 # seconds over which a difference is meaningful

  # text has a line of names and one of values. Returns nil for any other text, as a server may send anything.
  def self.parse(text)
    text = text.to_s.byteslice(0, Machine::Limits::COUNTERS_SHOWN).force_encoding(Encoding::UTF_8).scrub
    row = CSV.parse(text, headers: true).first.to_h
    values = row.transform_values { |value| Float(value, exception: false).then { |it| it if it && it.abs < FAR } }
    new(values) if values["seconds"]
  rescue CSV::MalformedCSVError
    nil
  end

  attr_reader :values

  def initialize(values)
    @values = values
  end

  def seconds_since(before)
    values["seconds"] - before.values["seconds"]
  end

  # Returns rates per second since the counters before, the share of blocks found in memory [%], and present values; nil
  # if the interval is too long.
  def since(before)
    passed = seconds_since(before)
    return unless passed.positive? && passed <= LONGEST

    risen = values.to_h { |name, value| [ name, value && before.values[name] && value - before.values[name] ] }
    { **RATES.to_h { |name| [ name, (risen[name] / passed if risen[name]&.>=(0)) ] }, "cache" => share_found(risen),
      **values.slice(*MOMENTARY) }
  end

  private
    def share_found(risen)
      all = risen["hit"].to_f + risen["read"].to_f
      (risen["hit"] / all * 100).clamp(0, 100) if risen["hit"] && all.positive?
    end
end
