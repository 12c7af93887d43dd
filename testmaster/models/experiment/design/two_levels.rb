# Combines the lowest and the highest level of each factor with those of the others.
class Experiment::Design::TwoLevels < Experiment::Design::Grid
  self.label, self.analysis, self.extensible = "2^k", "effects", false

  private
    def complaints_about_levels
      odd = @factors.reject { |factor| factor.levels.size == 2 }
      [ *("A 2^k design has up to #{LETTERS.size} factors, and this has #{@factors.size}" if
          @factors.size > LETTERS.size),
        *complaint_about_names,
        *odd.map { |factor| "The levels of factor #{factor.name} must be two in a #{word} design, and are " \
          "#{factor.levels.size}" } ]
    end

    # The log analyzer names interactions "ab" or "workers x clients".
    def complaint_about_names
      names = @factors.first(LETTERS.size).map(&:name)
      effects = (1..names.size).flat_map { |n| names.combination(n).map { |some| name_of_effect some } }
      twice = effects.tally.find { |_, count| count > 1 }&.first
      [ *("factors: two effects would have the name #{twice}: choose another name for a factor" if twice) ]
    end

    def name_of_effect(names)
      names.join(names.all? { |name| name.size == 1 } ? "" : " x ")
    end
end
