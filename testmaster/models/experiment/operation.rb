# One operation of the clients over the runs of an experiment, such as sendMessage, or dequeueMessage:empty for takes
# that found none.
class Experiment::Operation
  FIGURES = { "throughput" => "/s", "mean" => "ms", "stddev" => "ms", "p50" => "ms", "p99" => "ms" } # with their units
  EMPTY = ":empty"

  class << self
    # Returns the operations of any accepted run, by their names.
    def of(experiment)
      runs = experiment.points.flat_map(&:accepted)
      runs.flat_map { |run| measured_in(run).keys }.uniq.sort.map { |name| new(name) }
    end

    # Returns { "sendMessage" => { "throughput" => …, "mean" => …, … }, … } with times in us; {} without a run.
    def measured_in(run)
      run ? run.figures.fetch("operations", {}) : {}
    end
  end

  attr_reader :name

  def initialize(name)
    @name = name
  end

  # Returns a text such as "dequeueMessage, found none".
  def title
    name.end_with?(EMPTY) ? "#{name.delete_suffix EMPTY}, found none" : name
  end

  def columns
    FIGURES.map { |figure, unit| "#{name} #{figure} [#{unit.sub("/s", "1/s")}]" }
  end

  # Returns the figures of a run in the units of FIGURES; nil for each that it does not have.
  def values_in(run)
    measured = self.class.measured_in(run).fetch(name, {})
    FIGURES.map { |figure, unit| measured[figure]&.then { |value| unit == "ms" ? value / 1000.0 : value } }
  end

  # Returns { "mean" => Experiment::Estimate, … } over the accepted runs of a point.
  def estimates_at(point)
    values = point.accepted.map { |run| values_in(run) }.transpose
    FIGURES.keys.each_with_index.to_h do |figure, n|
      [ figure, Experiment::Estimate.new(figure, values[n].to_a.compact) ]
    end
  end
end
