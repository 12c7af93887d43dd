# Predicts the figures of a run with other clients, brokers or workers by a model of that run. Another run checks it.
class Prediction < ApplicationRecord
  MOST_CLIENTS = 100_000
  CHANGES = %w[ clients rate brokers workers connections database_faster ] # values that a prediction may change
  DOUBTS = %w[ not_explained batch_not_told processors_short ] # sentences of the answer that cast doubt on it

  PICTURES = %w[ closed_throughput closed_response waiting_over_utilisation ]

  include Checked, Live, Performable, Represented, TestRun::Live::Part

  belongs_to :test_run

  attribute :database_faster, :float, default: 1.0

  { 1..MOST_CLIENTS => %i[ clients ], 1..1_000 => %i[ brokers ], 1..512 => %i[ workers connections ] }
    .each do |range, names|
      validates(*names, allow_nil: true, numericality: { only_integer: true, in: range,
        message: "must be a whole number from 1 to #{ActiveSupport::NumberHelper.number_to_delimited range.last}" })
    end
  validates :rate, numericality: { in: 0.001..10_000_000, message: "must be such as 2000/s, 10,000,000/s at most" },
    allow_nil: true
  validates :database_faster, numericality: { in: 0.01..1_000, message: "must be a number from 0.01 to 1000" }
  validate :one_load
  validate :run_can_carry_a_model, on: :create

  scope :reverse_chronologically, -> { order id: :desc }

  def rate=(rate)
    super rate.is_a?(String) ? rate.strip.delete_suffix("/s") : rate
  end

  # An empty value leaves the database unchanged.
  def database_faster=(times)
    super times.nil? || times == "" ? 1 : times
  end

  # Returns a text such as "40 clients, 2 brokers, database faster by 1.5".
  def title
    load = rate ? "#{number rate} requests/s" : counted(clients || test_run.definition.clients_in_all, "client")
    [ load, *%w[ broker worker connection ].filter_map { |noun| self[noun.pluralize]&.then { |n| counted n, noun } },
      ("database #{number database_faster} times as fast" if other_database?) ].compact.join(", ")
  end

  def other_database?
    database_faster != 1
  end

  def picture_names
    super.sort_by { |name| PICTURES.index(name) || PICTURES.size }
  end

  private
    def counted(count, noun)
      ActionController::Base.helpers.pluralize(ActiveSupport::NumberHelper.number_to_delimited(count), noun)
    end

    def number(value)
      ActiveSupport::NumberHelper.number_to_rounded(value, precision: 3, delimiter: ",",
        strip_insignificant_zeros: true)
    end

    def one_load
      errors.add :rate, "cannot be combined with clients: enter one of them" if rate && clients
    end

    def run_can_carry_a_model
      complaint = test_run&.outcome&.complaint_about_model
      errors.add :base, complaint if complaint
    end
end
