# What comes of a run by the limits that its definition sets.
module Outcome::Judged
  # Of a run that has ended. Its name is also kept in a column, to search and sort by it, and so is the share of
  # thresholds that are met.
  def verdict
    Outcome::Verdict.new(self) if ended?
  end

  def judge
    run.update_columns(**columns_of_verdict)
  end

  # As the run keeps them
  def columns_of_verdict
    { verdict_name: verdict&.name, thresholds_met: (share_of_thresholds_met if ended?) }
  end

  # "accepted", "rejected" or "failed" for an experiment, once it is known
  def part_in_experiment
    case verdict&.name
    when nil, "examining"              then nil
    when "accepted", "threshold_broken" then "accepted"
    when "failed", "cancelled"         then "failed"
    else "rejected"
    end
  end

  # Each limit, with what was measured and whether that meets it
  def judgements
    limits.map do |limit|
      { "threshold" => limit.text, "value" => limit.value(measurement), "met" => limit.met?(measurement) }
    end
  end

  # Those that are told of every run, and what its limits ask for beside them
  def figures_told
    Figure.of(:exact) | limits.select(&:valid?).map(&:figure)
  end

  private
    # nil where there are none, or none could be measured
    def share_of_thresholds_met
      met = limits.map { |limit| limit.met?(figures) }.compact
      met.count(true).fdiv(limits.size) unless met.empty?
    end
end
