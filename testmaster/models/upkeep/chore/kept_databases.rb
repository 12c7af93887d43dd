# Drops databases of runs whose definition says keep_database: true, and orphaned databases of deleted runs.
class Chore::KeptDatabases < Chore
  self.title, self.thing = "Kept databases of runs", "databases"
  self.words = "The console of the run then says that it is gone. The zip lists its messages. Only databases on " \
    "the Testmaster's own server are measured."
  self.usual_days = 90

  OURS = <<~SQL.squish
    SELECT datname, shobj_description(oid, 'pg_database'), pg_database_size(oid) FROM pg_database
    WHERE datname LIKE replace(replace(current_database(), '\\', '\\\\'), '_', '\\_') || '\\_run\\_%'
  SQL

  def places
    [ "#{self.class.connection_db_config.database}_run_N, and at the addresses of runs" ]
  end

  private
    def clear
      each_of(TestRun.with_database.ended_before(limit).reject { |run| run.run_database.gone? }) do |run|
        run.drop_kept_database_after kept_days
        @removed += 1
      end
      each_of(left_over) do |name, mark|
        DatabaseServer::Embedded.new(name, nil, mark).drop name
        @removed += 1
      end
    end

    # Returns databases of deleted runs that were created before the limit.
    def left_over
      ours.filter_map do |name, mark, _|
        number, made = mark.to_s.match(/\Atest run (\d+) of (\d{20})\z/)&.captures
        if number && made < limit.utc.strftime("%Y%m%d%H%M%S%6N") && name.end_with?("_run_#{number}") &&
            !TestRun.exists?(id: number)
          [ name, mark ]
        end
      end
    end

    def ours
      self.class.connection.select_rows(OURS)
    end

    def size
      ours.sum { |_, _, bytes| bytes.to_i }
    end
end
