# Provides the limits that thresholds set, and the conditions on which a run is aborted.
module Definition::Limited
  extend ActiveSupport::Concern

  included { validate :thresholds_can_be_understood, :abort_conditions_can_be_understood }

  def limits
    thresholds.map { |text| Threshold.new(text) }
  end

  # Returns the limit of a measure, to be drawn.
  def limit_for(measure)
    limits.detect { |threshold| threshold.valid? && threshold.figure.name == measure }
  end

  def abort_conditions
    abort_when.map { |text| AbortCondition.new(text) }
  end

  # Returns the figures that must be known each second.
  def figures_to_abort_by
    abort_conditions.filter_map(&:figure)
  end

  private
    def thresholds_can_be_understood
      limits.reject(&:valid?).each do |threshold|
        errors.add :thresholds, "#{threshold.text.truncate(Condition::LONGEST).inspect} #{threshold.complaint}"
      end
    end

    def abort_conditions_can_be_understood
      abort_conditions.reject(&:valid?).each do |condition|
        errors.add :abort_when, "#{condition.text.truncate(Condition::LONGEST).inspect} #{condition.complaint}"
      end
    end
end
