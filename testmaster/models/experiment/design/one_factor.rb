# Varies each factor alone, while the others stay at their first levels.
class Experiment::Design::OneFactor < Experiment::Design
  self.label, self.analysis, self.extensible = "one factor at a time", "anova", true

  def points
    usual = @factors.to_h { |factor| [ factor.name, factor.levels.first ] }
    [ usual, *@factors.flat_map { |factor| factor.levels.drop(1).map { |level| usual.merge(factor.name => level) } } ]
  end

  def size
    1 + @factors.sum { |factor| factor.levels.size - 1 }
  end
end
