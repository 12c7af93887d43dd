# A table and a plot that the log analyzer creates from the zip of a run.
class Analysis < ApplicationRecord
  KINDS = Catalogue::PLOTS.keys

  MOST_WAITING = 100 # plots of a run, at the same time

  SPLITS = %w[ machine jvm role status tier ] # names of the log analyzer; empty: by action

  OF_ACTIONS = KINDS.select { |kind| "actions".in?(Catalogue::PLOTS[kind]) } # the others need no actions
  STEPS = "steps" # parts of the load between changes of clients or rates: levels of an experiment within one run

  include Performable, TestRun::Live::Part

  belongs_to :test_run

  has_one_attached :plot   # SVG
  has_one_attached :dark_plot # the same, for dark pages
  has_one_attached :table  # CSV
  has_one_attached :script # gnuplot
  has_one_attached :data   # zip of script and data

  attribute :window, Duration.new
  attribute :from, Moment.new # s since the start of the load
  attribute :to, Moment.new
  attribute :action_prefix, default: -> { System.default.requests }

  normalizes :percentiles, with: ->(text) { text.gsub(/\s/, "") }
  normalizes :action_prefix, with: ->(text) { text.squish }
  normalizes :split, with: ->(text) { text.presence }

  validates :kind, inclusion: { in: KINDS, message: "must be one of #{KINDS.to_sentence}" }
  validates :percentiles, length: { maximum: 200 }
  validates :action_prefix, presence: true, length: { maximum: 200 },
    format: { without: /[;\r\n\0]/, message: "must be the beginning of an action, such as #{System.default.requests}" }
  validates :split, inclusion: { in: SPLITS, message: "must be one of #{SPLITS.to_sentence}, or nothing" },
    allow_nil: true
  validates :window, inclusion: { in: 1..86_400, message: "must be from 1s to 24h" }
  validate :not_too_many_waiting, on: :create
  validate :percentiles_within_bounds, :part_within_the_load, :logs_are_enough

  def of_actions?
    kind.in? OF_ACTIONS
  end

  # Returns the prefixes of actions; for tiers, a prefix for each tier if the default is requested.
  def prefixes
    split == "tier" && action_prefix == test_run.system.requests ? test_run.system.tiers : action_prefix.split
  end

  private
    def not_too_many_waiting
      if test_run && test_run.analyses.at_work.count >= MOST_WAITING
        errors.add :kind, "cannot be drawn now: #{MOST_WAITING} plots of this run wait already; cancel some"
      end
    end

    # Servers of other systems write no log of each request.
    def logs_are_enough
      if test_run && kind.in?(KINDS) && !kind.in?(test_run.system.plots)
        errors.add :kind, "must be one of #{test_run.system.plots.to_sentence} for a run of #{test_run.system.label}"
      end
    end

    def part_within_the_load
      %i[ from to ].each do |name|
        typed, second = public_send("#{name}_before_type_cast"), public_send(name)
        if typed.present? && !second&.between?(0, test_run&.duration.to_i)
          errors.add name, "must be a moment of the load, from 0:00 to its end, such as 1:30"
        end
      end
      errors.add :to, "must be later than from" if errors.empty? && from && to && to <= from
    end

    def percentiles_within_bounds
      return if percentiles.to_s.size > 200

      numbers = percentiles.to_s.split(",", -1).map { |text| Float(text, exception: false) }
      if numbers.empty? || numbers.size > 20 || numbers.any? { |number| number.nil? || !number.between?(0, 100) }
        errors.add :percentiles, "must be numbers from 0 to 100 with commas between, such as 2.5,50,97.5"
      end
    end
end
