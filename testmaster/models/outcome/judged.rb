# Judges a run by the limits of its definition.
module Outcome::Judged
  # Returns the verdict of an ended run. Columns of the run keep its name and the share of thresholds that are met, for
  # search and sorting.
  def verdict
    Outcome::Verdict.new(self) if ended?
  end

  def judge
    run.update_columns(**columns_of_verdict)
  end

  def columns_of_verdict
    { verdict_name: verdict&.name, thresholds_met: (share_of_thresholds_met if ended?) }
  end

  # Returns "accepted", "rejected" or "failed" for an experiment, once it is known.
  def part_in_experiment
    case verdict&.name
    when nil, "examining"              then nil
    when "accepted", "threshold_broken" then "accepted"
    when "failed", "cancelled"         then "failed"
    else "rejected"
    end
  end

  # Returns each limit with the measured value and whether it is met.
  def judgements
    limits.map do |limit|
      { "threshold" => limit.text, "value" => limit.value(measurement),
        "interval" => limit.interval_in_words(measurement), "met" => limit.met?(measurement) }
    end
  end

  # Returns the figures of every run, and those of its limits.
  def figures_told
    Figure.of(:exact) | limits.select(&:valid?).map(&:figure)
  end

  private
    # Returns nil if there are no thresholds, or none could be measured.
    def share_of_thresholds_met
      met = limits.map { |limit| limit.met?(figures) }.compact
      met.count(true).fdiv(limits.size) unless met.empty?
    end
end
