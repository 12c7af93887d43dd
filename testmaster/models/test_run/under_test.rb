# What is under test, and what that means for the run: one system in all its groups, scenarios that it can run, and the
# secrets that its programs are started with.
module TestRun::UnderTest
  extend ActiveSupport::Concern

  included do
    validate :one_system, :database_is_left_out
    delegate :in_database?, to: :system
  end

  def system
    broker_groups_kept.first&.system || System.default
  end

  # By the names of variables of the environment
  def secrets
    { system.secret => system_password }.compact
  end

  # That of the database, of the server that is started for the run, or of the address
  def system_password
    case
    when in_database?              then run_database.password
    when (at = system_at_address)  then at.place.password
    else own_password
    end
  end

  private
    def broker_groups_kept
      broker_groups.reject(&:marked_for_destruction?)
    end

    def system_at_address
      broker_groups_kept.find(&:address?)
    end

    # Made from what only this Testmaster knows, so that it is kept nowhere.
    def own_password
      mark = "#{system} of test run #{id} of #{created_at&.to_fs(:usec)}"
      Rails.application.key_generator.generate_key(mark, 24).unpack1("H*")
    end

    def one_system
      systems = broker_groups_kept.filter_map(&:system)
      if systems.uniq.size > 1
        errors.add :broker_groups, "must all be of one system: compare two by two runs"
      elsif systems.size > 1 && !systems.first.default?
        errors.add :broker_groups, "must be one: there is one server of #{systems.first.label}"
      end
    end

    # It would do nothing.
    def database_is_left_out
      return if in_database?

      what = { database: database != "embedded", database_settings: database_settings.any?,
        keep_database: keep_database? }.select { |_, given| given }.keys
      what.each { |name| errors.add name, "is for runs of MLMQ: #{system.label} keeps its messages itself" }
    end
end
