# Deletes one kind of data that only grows, after a time limit, and measures its disk. A kind defines:
#
#   title, words    its name, and what is deleted, for people
#   tables          its tables; or `folders`
#   clear           deletes what is older than `limit`, by the methods of Chore::Batched
#
# Data that an existing run needs for its page, its charts and its zip is kept, or the page says that it is deleted.
class Chore < ApplicationRecord
  # A new kind needs a word here, and a class of that name in chore/.
  KINDS = %w[ archives records figures build_jars spools kept_databases logs uploads audit sign_ins deliveries forms
    dead_jobs ]
  EVERY = 23.hours # so that an hourly job does it every day

  include Lockable
  include Batched, Measured

  class_attribute :title, :words, :thing, instance_writer: false
  class_attribute :tables, default: [], instance_writer: false
  class_attribute :usual_days, :fewest_days, default: 1, instance_writer: false
  class_attribute :endless, default: false, instance_writer: false # its data is measured and never deleted

  after_initialize -> { self.kept_days = usual_days }, if: :new_record?

  validates :kept_days, allow_nil: true, numericality: { only_integer: true,
    greater_than_or_equal_to: ->(chore) { chore.fewest_days }, less_than_or_equal_to: 3650,
    message: ->(chore, _) { "must be a number of days from #{chore.fewest_days} to 3650, or empty: for ever" } }

  class << self
    def kinds
      KINDS.map { |kind| "Chore::#{kind.camelize}".constantize }
    end

    # The result includes kinds without a row, in the order of KINDS.
    def all_in_order
      found = all.index_by(&:class)
      kinds.map { |kind| found.fetch(kind) { kind.new } }
    end

    def all_made
      all_in_order.each { |chore| chore.save! if chore.new_record? }
    rescue ActiveRecord::RecordNotUnique
      retry
    end

    # Returns a word such as "kept_databases".
    def kind
      name.demodulize.underscore
    end
  end

  delegate :kind, to: :class

  # Returns the folders of its files.
  def folders
    []
  end

  def due?
    performed_at.nil? || unfinished? || error? || performed_at < EVERY.ago
  end

  # An error here affects nothing else; the settings page shows it.
  def perform
    holding_lock do
      reload
      begin_batches
      clear if kept_days && !endless
      note removed: @removed, freed: @freed, unfinished: @out_of_time, error: nil
      measure
    rescue StandardError => error
      Rails.error.report error, handled: true, context: { chore: kind } unless error.is_a?(Failure)
      note removed: @removed, freed: @freed, unfinished: false, error: words_of(error)
    end
  end

  # Older data is deleted.
  def limit
    kept_days.days.ago
  end

  private
    def clear
    end

    def note(**outcome)
      update_columns performed_at: Time.current, **outcome
    end

    def words_of(error)
      case error
      when Failure         then [ error.message, error.advice ].compact.join(" ")
      when Errno::EACCES   then "#{error.message.sub(/ @ \w+/, "")}: let the account of the worker write there"
      else "#{error.class.name}: #{error.message.lines.first.to_s.strip}"
      end.truncate(1_000)
    end
end
