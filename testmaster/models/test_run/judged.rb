# The limits that a run's definition sets, and whether its figures keep them.
module TestRun::Judged
  extend ActiveSupport::Concern

  included { validate :thresholds_can_be_understood }

  def limits
    thresholds.map { |text| Threshold.new(text) }
  end

  # The limit for one measure, to be drawn.
  def limit_for(measure)
    limits.detect { |threshold| threshold.valid? && threshold.measure == measure }
  end

  private
    def thresholds_can_be_understood
      limits.reject(&:valid?).each do |threshold|
        errors.add :thresholds,
          "#{threshold.text.inspect} must be such as #{Threshold::EXAMPLES.to_sentence(last_word_connector: " or ")}"
      end
    end
end
