# Selects the server of a run's database: the Testmaster's own, one that is set up for the run, or an existing one.
module TestRun::Databased
  extend ActiveSupport::Concern

  included do
    before_destroy -> { @database_to_drop = keep_database? && database != "machine" && run_database.begun? },
      prepend: true
    after_destroy_commit :drop_kept_database, if: -> { @database_to_drop }

    # Selects runs whose database the console may read.
    scope :with_database, -> {
      made = Event.where(name: "database_created").select(:test_run_id)
      dropped = Event.where(name: "database_dropped").select(:test_run_id)
      where(id: made).where.not(id: dropped)
        .merge(at_work.or(where("test_runs.definition ->> 'keep_database' = 'true'")))
    }
  end

  def initialize_dup(other)
    @run_database = @console = nil
    super
  end

  def run_database
    @run_database ||= TestRun::Database.new(self)
  end

  # Returns nil if the system keeps no messages in a database.
  def console
    return unless in_database?

    @console ||= Console.new(self, run_database, system)
  end

  # Drops a kept database at the end of its time. The event tells users why it is missing.
  def drop_kept_database_after(days)
    run_database.drop
    record_event :database_dropped, "The database was dropped, as it was kept for #{days} days (Settings, Disk)"
  end

  private
    # A server that is unreachable does not prevent the deletion of its run.
    def drop_kept_database
      run_database.drop
    rescue Failure => failure
      Rails.logger.warn "The database #{run_database.name} of run #{id} is not dropped: #{failure.message}"
    end
end
