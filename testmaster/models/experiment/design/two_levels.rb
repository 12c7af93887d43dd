# Combines the lowest and the highest level of each factor with those of the others.
class Experiment::Design::TwoLevels < Experiment::Design::Grid
  self.label, self.analysis, self.extensible = "2^k", "effects", false

  private
    def complaints_about_levels
      odd = @factors.reject { |factor| factor.levels.size == 2 }
      [ *("A 2^k design has up to #{LETTERS.size} factors, and this has #{@factors.size}" if
          @factors.size > LETTERS.size),
        *odd.map { |factor| "The levels of factor #{factor.name} must be two in a #{word} design, and are " \
          "#{factor.levels.size}" } ]
    end
end
