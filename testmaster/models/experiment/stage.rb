# One stage of a request, such as the request queue. The stages of a run add up to its mean response time.
class Experiment::Stage < Experiment::Part
  FIGURES = { "mean" => "ms" }

  # Returns { "request queue" => { "mean" => time of all requests in it, by their number [us] }, … } in the order in
  # which a request passes the stages.
  def self.measured_in(run)
    run.figures.fetch("stages", []).to_h { |name, mean| [ name, { "mean" => mean } ] }
  end

  def title = name.upcase_first

  # The log analyzer leaves out a stage in which no request spent time.
  def values_in(run)
    measured = run && self.class.measured_in(run).any?
    super.map { |value| value || (0.0 if measured) }
  end
end
