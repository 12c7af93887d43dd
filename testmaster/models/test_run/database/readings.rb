# What is read from the database of a run for its zip: what is left at the end, and the server's counters while it runs.
module TestRun::Database::Readings
  extend ActiveSupport::Concern

  NOW = "(extract(epoch from clock_timestamp()) * 1000)::bigint AS ms"
  OF_THE_SERVER = {
    "database_stats.csv" => "SELECT #{NOW}, d.* FROM pg_stat_database d WHERE datname = current_database()",
    "table_stats.csv" => "SELECT #{NOW}, t.*, io.heap_blks_read, io.heap_blks_hit, io.idx_blks_read, io.idx_blks_hit " \
      "FROM pg_stat_user_tables t JOIN pg_statio_user_tables io USING (relid)"
  }

  included { class_attribute :longest_dump, default: 16.gigabytes }

  # A line for each message that is left. A server on a machine may talk for ever.
  def dump(io)
    server.copy name, csv(system.messages_left, header: true), Machine::Shell::Bounded.new(io, longest_dump)
  end

  # Adds the counters of this moment to files of a folder, and returns those that charts show. The machine that is
  # measured is asked once for all of them.
  def count(folder)
    files = counters.keys.map { |name| folder.join(name) }
    asked = counters.values.zip(files).map { |sql, file| csv(sql, header: !file.size?) }
    *said, shown = server.read(name, [ *asked, csv(TestRun::Database::Counters::SQL, header: true) ])
    files.zip(said) { |file, text| keep file, text.to_s }
    TestRun::Database::Counters.parse(shown)
  end

  # What is counted: those of the server, and those of the system that is under test
  def counters
    OF_THE_SERVER.merge(system.counters)
  end

  private
    def keep(file, text)
      if file.size?.to_i + text.bytesize > Machine::Limits::COUNTERS_KEPT
        raise Failure, "#{file.basename} has #{Machine::Limits::COUNTERS_KEPT} bytes, and no more of it is kept"
      end
      file.open("ab") { |io| io << text }
    end

    def csv(sql, header:)
      "COPY (#{sql}) TO STDOUT WITH (FORMAT csv#{", HEADER" if header})"
    end
end
