# Reads the database of a run for its zip: the messages left at the end, and the server's counters during the run.
module TestRun::Database::Readings
  extend ActiveSupport::Concern

  NOW = "(extract(epoch from clock_timestamp()) * 1000)::bigint AS ms"
  OF_THE_SERVER = {
    "database_stats.csv" => "SELECT #{NOW}, d.* FROM pg_stat_database d WHERE datname = current_database()",
    "table_stats.csv" => "SELECT #{NOW}, t.*, io.heap_blks_read, io.heap_blks_hit, io.idx_blks_read, io.idx_blks_hit " \
      "FROM pg_stat_user_tables t JOIN pg_statio_user_tables io USING (relid)"
  }

  included { class_attribute :longest_dump, default: 16.gigabytes }

  # Writes a line for each message that is left. A server on a machine may send endlessly, so the size is limited.
  def dump(io)
    server.copy name, csv(system.messages_left, header: true), Machine::Shell::Bounded.new(io, longest_dump)
  end

  # Appends the present counters to files of a folder, and returns those that charts show. It reads all of them with one
  # command, as the machine is being measured.
  def count(folder)
    files = counters.keys.map { |name| folder.join(name) }
    asked = counters.values.zip(files).map { |sql, file| csv(sql, header: !file.size?) }
    *said, shown = server.read(name, [ *asked, csv(TestRun::Database::Counters::SQL, header: true) ])
    files.zip(said) { |file, text| keep file, text.to_s }
    TestRun::Database::Counters.parse(shown)
  end

  # Returns the counters of the server and those of the system under test.
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
