class Chore::Records < Chore
  self.title, self.endless = "Runs, experiments and accounts", true
  self.words = "Definitions, events and results, which are deleted with their run or experiment."

  def places
    [ "the other tables of #{self.class.connection_db_config.database}" ]
  end

  private
    def size
      listed = self.class.kinds.flat_map(&:tables).map { |table| self.class.connection.quote(table) }.join(", ")
      self.class.connection.select_value(<<~SQL).to_i
        SELECT pg_database_size(current_database()) -
          (SELECT sum(pg_total_relation_size(name)) FROM unnest(ARRAY[#{listed}]) AS name)
      SQL
    end
end
