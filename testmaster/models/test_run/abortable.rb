# Ends a run early if a condition of its definition says so.
module TestRun::Abortable
  def check_abort_conditions
    return if abort_when.empty?

    longest = definition.abort_conditions.map(&:seconds).max
    recent = samples.where(at: (longest + AbortCondition::GAP).seconds.ago..).to_a
    if met = recent.any? && definition.abort_conditions.find { |condition| condition.met_by?(recent) }
      raise Failure.new("Given up: #{met.text}",
        advice: "The definition of the run says abort_when: #{met.text}. What was measured until then is in the zip.")
    end
  end
end
