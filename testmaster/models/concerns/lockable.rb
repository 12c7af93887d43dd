# Provides a lock that belongs to the connection to PostgreSQL, so it ends with its process, however that dies. A
# process that finds the lock taken leaves. Different purposes have different locks.
module Lockable
  # The connection broke and released the lock: another process may already do the work.
  class Lost < StandardError
  end

  # Returns the value of the block, or nil if another process holds the lock.
  def holding_lock(purpose = nil)
    self.class.connection_pool.with_connection do |connection|
      if connection.select_value("SELECT pg_try_advisory_lock(#{lock_key(purpose)})", "Lock", [])
        begin
          held_locks << purpose
          yield
        ensure
          held_locks.delete purpose
          release_lock connection, purpose
        end
      end
    end
  end

  def locked?(purpose = nil)
    self.class.uncached { find_lock purpose }.present?
  end

  # Raises Lost if this process does not hold the lock any more.
  def check_lock(purpose = nil)
    make_sure_of_lock purpose if held_locks.include?(purpose)
  end

  private
    def make_sure_of_lock(purpose = nil)
      unless self.class.uncached { find_lock purpose, "AND pid = pg_backend_pid()" }
        raise Lost, "The lock of #{self.class.name} #{id} is lost"
      end
    end

    def held_locks
      @held_locks ||= []
    end

    def find_lock(purpose, more = "")
      self.class.connection.select_value "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT " \
        "oid FROM pg_database WHERE datname = current_database()) AND classid = #{lock_class(purpose)} AND objid = " \
          "#{lock_object} AND granted #{more}"
    end

    def lock_key(purpose = nil)
      "#{lock_class(purpose)}, #{lock_object}"
    end

    def lock_class(purpose)
      Zlib.crc32([ self.class.table_name, *purpose ].join(" ")) & 0x7fffffff
    end

    def lock_object
      id & 0x7fffffff
    end

    def release_lock(connection, purpose)
      connection.execute "SELECT pg_advisory_unlock(#{lock_key(purpose)})" if connection.active?
    end
end
