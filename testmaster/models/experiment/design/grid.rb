# Combines all levels of each factor with all levels of the others.
class Experiment::Design::Grid < Experiment::Design
  self.label, self.analysis, self.matrix, self.extensible = "full grid", "anova", true, true

  def points
    product @factors
  end

  def size
    @factors.inject(1) { |size, factor| size * factor.levels.size }
  end
end
