# Ensures that one system is under test in all groups of brokers.
module Definition::UnderTest
  extend ActiveSupport::Concern

  included do
    validate :one_system, :words_without_effect_are_left_out
    validate -> { errors.add :auth, "by certificate needs TLS (tls: true)" }, if: -> { auth == "certificate" && !tls }
    validate -> { System.default.complaint_about_layout(self)&.then { |why| errors.add :client_groups, why } }
    validate -> { System.default.complaint_about_tables(self)&.then { |why| errors.add :database_settings, why } }
    delegate :in_database?, to: :system
  end

  def system
    broker_groups.first&.system || System.default
  end

  # Returns the group of an existing server.
  def at_address
    broker_groups.find(&:address?)
  end

  private
    def one_system
      systems = broker_groups.filter_map(&:system)
      if systems.uniq.size > 1
        errors.add :broker_groups, "must all be of one system: compare two systems by two runs"
      elsif systems.size > 1 && !systems.first.default?
        errors.add :broker_groups, "must be one: there is one server of #{systems.first.label}"
      end
    end

    def words_without_effect_are_left_out
      return if in_database?

      { "keeps its messages itself" => { database: database != "embedded", database_settings: database_settings.any?,
        keep_database: keep_database? }, "has its own" => { tls: tls, auth: auth != "none" } }.each do |why, words|
        words.select { |_, given| given }.each_key do |name|
          errors.add name, "is for runs of MLMQ: #{system.label} #{why}"
        end
      end
    end
end
