# Deletes in batches within a time limit. Each batch is a short transaction that waits for no lock. If it is
# interrupted, the next time continues from there.
module Chore::Batched
  BATCH = 1_000 # rows
  LONGEST = 5.minutes # the rest is deleted an hour later
  LIMITS = "SET LOCAL lock_timeout = '2s'; SET LOCAL statement_timeout = '30s'"

  private
    def begin_batches
      @removed, @freed, @out_of_time = 0, nil, false
      @deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + LONGEST
    end

    # Locked rows are left to the next time.
    def delete_rows(relation)
      loop do
        deleted = delete_batch(relation)
        @removed += deleted
        break if deleted < BATCH || out_of_time?
      end
    end

    def delete_batch(relation)
      self.class.transaction do
        self.class.connection.execute LIMITS
        ids = relation.reorder(nil).limit(BATCH).lock("FOR UPDATE SKIP LOCKED").pluck(:id)
        ids.any? ? relation.klass.where(id: ids).delete_all : 0
      end
    end

    # An error does not stop the others; the first one is reported at the end.
    def each_of(things)
      failure = nil
      things.each do |thing|
        break if out_of_time?

        yield thing
      rescue Failure, SystemCallError, ActiveRecord::QueryCanceled, ActiveRecord::InvalidForeignKey => error
        failure ||= error
      end
      raise failure if failure
    end

    def remove_folder(folder)
      bytes = Chore::Measured.bytes_of([ folder ]).to_i
      FileUtils.rm_r folder
      removed_file bytes
    end

    def remove_file(path)
      bytes = path.size
      path.delete
      removed_file bytes
    end

    def removed_file(bytes)
      @removed += 1
      @freed = @freed.to_i + bytes
    end

    def out_of_time?
      @out_of_time ||= Process.clock_gettime(Process::CLOCK_MONOTONIC) > @deadline
    end
end
