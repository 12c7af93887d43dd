# A lock that is held by the connection to PostgreSQL, so it ends with its holder, however that dies.
# Who finds it taken leaves: the matter is in good hands.
module Lockable
  # The connection broke, and the lock with it: somebody else may be at work by now.
  class Lost < StandardError
  end

  # The value of the block, or nil where somebody else holds the lock.
  def holding_lock
    self.class.connection_pool.with_connection do |connection|
      if connection.select_value("SELECT pg_try_advisory_lock(#{lock_key})", "Lock", [])
        begin
          yield
        ensure
          release_lock connection
        end
      end
    end
  end

  def locked?
    self.class.uncached { find_lock }.present?
  end

  private
    def make_sure_of_lock
      raise Lost, "The lock of #{self.class.name} #{id} is lost" unless self.class.uncached { find_lock "AND pid = pg_backend_pid()" }
    end

    def find_lock(more = "")
      self.class.connection.select_value "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND classid = #{lock_class} AND objid = #{lock_object} AND granted #{more}"
    end

    def lock_key
      "#{lock_class}, #{lock_object}"
    end

    def lock_class
      Zlib.crc32(self.class.table_name) & 0x7fffffff
    end

    def lock_object
      id & 0x7fffffff
    end

    def release_lock(connection)
      connection.execute "SELECT pg_advisory_unlock(#{lock_key})" if connection.active?
    end
end
