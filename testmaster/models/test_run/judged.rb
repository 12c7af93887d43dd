# The limits that a run's definition sets, and what comes of it in the end.
module TestRun::Judged
  extend ActiveSupport::Concern

  included do
    validate :thresholds_can_be_understood
    before_save :keep_verdict

    # Left to us by a migration, which must not judge by the models of its day
    scope :unjudged, -> { where state: TestRun::Summarized::ENDED, verdict_name: nil }
    scope :with_verdict, ->(name) { where verdict_name: name.underscore }
  end

  # Of a run that has ended. Its name is also kept in a column, to search and sort by it, and so is the share of
  # thresholds that are met.
  def verdict
    TestRun::Verdict.new(self) if ended?
  end

  def judge
    update_columns verdict_name: verdict.name, thresholds_met: share_of_thresholds_met
  end

  def limits
    thresholds.map { |text| Threshold.new(text) }
  end

  # Those that are told of every run, and what its limits ask for beside them
  def figures_told
    Figure.of(:exact) | limits.select(&:valid?).map(&:figure)
  end

  # The limit for one measure, to be drawn.
  def limit_for(measure)
    limits.detect { |threshold| threshold.valid? && threshold.figure.name == measure }
  end

  # nil where there are none, or none could be measured
  def share_of_thresholds_met
    met = limits.map { |limit| limit.met?(figures) }.compact
    met.count(true).fdiv(limits.size) unless met.empty?
  end

  private
    def keep_verdict
      self.verdict_name = verdict&.name
      self.thresholds_met = (share_of_thresholds_met if ended?)
    end

    def thresholds_can_be_understood
      limits.reject(&:valid?).each do |threshold|
        errors.add :thresholds, "#{threshold.text.truncate(Condition::LONGEST).inspect} #{threshold.complaint}"
      end
    end
end
