# Ends a run early where its definition says that it is not worth its time.
module TestRun::Abortable
  extend ActiveSupport::Concern

  included { validate :abort_conditions_can_be_understood }

  def abort_conditions
    abort_when.map { |text| AbortCondition.new(text) }
  end

  # Of which each second must be known
  def figures_to_abort_by
    abort_conditions.filter_map(&:figure)
  end

  def heed_abort_conditions
    return if abort_when.empty?

    longest = abort_conditions.map(&:seconds).max
    recent = samples.where(at: (longest + AbortCondition::GAP).seconds.ago..).to_a
    if met = recent.any? && abort_conditions.find { |condition| condition.met_by?(recent) }
      raise Failure.new("Given up: #{met.text}",
        advice: "The definition of the run says abort_when: #{met.text}. What was measured until then is in the zip.")
    end
  end

  private
    def abort_conditions_can_be_understood
      abort_conditions.reject(&:valid?).each do |condition|
        errors.add :abort_when, "#{condition.text.truncate(Condition::LONGEST).inspect} #{condition.complaint}"
      end
    end
end
