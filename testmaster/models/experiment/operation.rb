# One operation of the clients, such as sendMessage, or dequeueMessage:empty for takes that found none.
class Experiment::Operation < Experiment::Part
  FIGURES = { "throughput" => "/s", "mean" => "ms", "stddev" => "ms", "p50" => "ms", "p99" => "ms" }
  EMPTY = ":empty"

  # Returns { "sendMessage" => { "throughput" => …, "mean" => …, … }, … } with times in us.
  def self.measured_in(run)
    run.figures.fetch("operations", {}).sort.to_h
  end

  # Returns a text such as "dequeueMessage, found none".
  def title
    name.end_with?(EMPTY) ? "#{name.delete_suffix EMPTY}, found none" : name
  end
end
