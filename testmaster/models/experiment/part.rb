# A part of what the runs of an experiment measured: one operation, or one stage of a request. Subclasses say which
# FIGURES it has, with their units, and what of a run is measured_in them.
class Experiment::Part
  class << self
    # Returns the parts of any accepted run.
    def of(experiment)
      measured = experiment.points.flat_map(&:accepted).map { |run| measured_in(run).keys }
      measured.sort_by { |names| -names.size }.flatten.uniq.map { |name| new(name) }
    end
  end

  attr_reader :name

  def initialize(name)
    @name = name
  end

  def figures = self.class::FIGURES
  def columns = figures.map { |figure, unit| "#{name} #{figure} [#{unit.sub("/s", "1/s")}]" }

  # Returns the figures of a run in the units of FIGURES; nil for each that it does not have, and all if run is nil.
  def values_in(run)
    measured = run ? self.class.measured_in(run).fetch(name, {}) : {}
    figures.map { |figure, unit| measured[figure]&.then { |value| unit == "ms" ? value / 1000.0 : value } }
  end

  # Returns { "mean" => Experiment::Estimate, … } over the accepted runs of a point.
  def estimates_at(point)
    values = point.accepted.map { |run| values_in(run) }.transpose
    figures.keys.each_with_index.to_h do |figure, n|
      [ figure, Experiment::Estimate.new(figure, values[n].to_a.compact) ]
    end
  end
end
