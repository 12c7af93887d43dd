# Deletes in batches, each a short transaction that waits for nobody, for a while at most. Whatever ends it, between two
# batches or within one, the next time goes on from there.
module Chore::Batched
  BATCH = 1_000 # rows
  LONGEST = 5.minutes # what is left then is deleted an hour later
  LIMITS = "SET LOCAL lock_timeout = '2s'; SET LOCAL statement_timeout = '30s'"

  private
    def begin_batches
      @removed, @freed, @out_of_time = 0, nil, false
      @deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + LONGEST
    end

    # What somebody else is at is left to the next time.
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

    # One that cannot be dealt with does not keep the others from it; the first reason is told in the end.
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
