# A table and a plot that the log analyzer makes from the archive of a run.
class Analysis < ApplicationRecord
  KINDS = %w[ response_time throughput breakdown histogram cdf spectrum box queues messages rates ]

  OF_ACTIONS = KINDS - %w[ queues messages rates ] # the others plot what JVMs and database count

  include Performable, TestRun::Live::Part

  belongs_to :test_run

  has_one_attached :plot   # SVG
  has_one_attached :dark_plot # the same, for dark pages
  has_one_attached :table  # CSV
  has_one_attached :script # gnuplot
  has_one_attached :data   # zip of script and data

  attribute :window, Duration.new
  attribute :action_prefix, default: -> { System.default.requests }

  enum :state, %w[ pending processing completed failed ].index_by(&:itself)

  normalizes :percentiles, with: ->(text) { text.gsub(/\s/, "") }
  normalizes :action_prefix, with: ->(text) { text.strip }

  validates :kind, inclusion: { in: KINDS, message: "must be one of #{KINDS.to_sentence}" }
  validates :percentiles, length: { maximum: 200 }
  validates :action_prefix, presence: true, length: { maximum: 200 },
    format: { without: /[;\r\n\0]/, message: "must be the beginning of an action, such as #{System.default.requests}" }
  validates :window, inclusion: { in: 1..86_400, message: "must be from 1s to 24h" }
  validate :percentiles_within_bounds

  def of_actions?
    kind.in? OF_ACTIONS
  end

  private
    def percentiles_within_bounds
      return if percentiles.to_s.size > 200

      numbers = percentiles.to_s.split(",", -1).map { |text| Float(text, exception: false) }
      if numbers.empty? || numbers.size > 20 || numbers.any? { |number| number.nil? || !number.between?(0, 100) }
        errors.add :percentiles, "must be numbers from 0 to 100 with commas between, such as 2.5,50,97.5"
      end
    end
end
