# Where messages are kept: in the Testmaster's own server, in one that is set up for the run, or in one that is there.
module TestRun::Databased
  extend ActiveSupport::Concern

  KINDS = %w[ embedded machine ] # anything else is an address

  included do
    validate :database_can_be_used

    before_destroy -> { @database_to_drop = keep_database? && database != "machine" && database_begun? }, prepend: true
    after_destroy_commit :drop_kept_database, if: -> { @database_to_drop }

    # Where the console may find something
    scope :with_database, -> {
      made = Event.where(name: "database_created").select(:test_run_id)
      dropped = Event.where(name: "database_dropped").select(:test_run_id)
      where(id: made).where.not(id: dropped).merge(at_work.or(where(keep_database: true)))
    }
  end

  def run_database
    @run_database ||= TestRun::Database.new(self)
  end

  # Where there are tables of ours to look into
  def console
    return unless in_database?

    @console ||= Console.new(self, run_database, system)
  end

  # Whether there is something for the console to look into
  def database_lives?
    !database_gone? && database_created?
  end

  # What is on a machine goes with it.
  def database_gone?
    !at_work? && (!keep_database? || database == "machine" || database_dropped?)
  end

  def database_dropped?
    events.exists?(name: "database_dropped")
  end

  # For one that was kept so long that it goes. Of the event everybody who looks for it learns that.
  def drop_kept_database_after(days)
    run_database.drop
    record_event :database_dropped, "The database was dropped, as it was kept for #{days} days (Settings, Disk)"
  end

  def database_without_password
    database.in?(KINDS) ? database : Address::Database.new(database).without_password
  end

  # Whether there may be something of it, and whether it is all there
  def database_begun?
    events.exists?(name: "database_begun")
  end

  def database_created?
    events.exists?(name: "database_created")
  end

  private
    # A server that cannot be reached any more does not keep its run from being deleted.
    def drop_kept_database
      run_database.drop
    rescue Failure => failure
      Rails.logger.warn "The database #{run_database.name} of run #{id} is not dropped: #{failure.message}"
    end

    # Kinds of providers
    def several
      Provider.kinds.reject { |_, kind| kind.one_machine? }.keys
    end

    def database_can_be_used
      return unless in_database?

      case database
      when "embedded"
        if provider&.rented?
          errors.add :database, "must be machine or a URL: rented machines cannot reach the embedded one"
        end
      when "machine"
        if provider&.one_machine?
          errors.add :database,
            "can have a machine of its own only where the provider has several (#{several.join(", ")})"
        end
      else
        complaint = Address::Database.new(database).complaint
        errors.add :database, complaint if complaint
      end
    end
end
