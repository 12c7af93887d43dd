# The limits that a run's definition sets.
module TestRun::Limited
  extend ActiveSupport::Concern

  included { validate :thresholds_can_be_understood }

  def limits
    thresholds.map { |text| Threshold.new(text) }
  end

  # The limit for one measure, to be drawn.
  def limit_for(measure)
    limits.detect { |threshold| threshold.valid? && threshold.figure.name == measure }
  end

  private
    def thresholds_can_be_understood
      limits.reject(&:valid?).each do |threshold|
        errors.add :thresholds, "#{threshold.text.truncate(Condition::LONGEST).inspect} #{threshold.complaint}"
      end
    end
end
