# Determines the points of an experiment and how they are analysed; each design has a class. points returns
# [ { "workers" => 8, … }, … ], where the first factor changes slowest; size returns their number. Sources: R. Jain, The
# Art of Computer Systems Performance Analysis, 1991, chapters 16 to 19; G. Box, W. Hunter, J. Hunter, Statistics for
# Experimenters.
class Experiment::Design
  LETTERS = ("a".."h").to_a # letters of factors, in their order; "i" is the mean

  class << self
    # Returns { "grid" => Experiment::Design::Grid, … }.
    def all
      @all ||= { "one-factor" => OneFactor, "grid" => Grid, "2k" => TwoLevels, "2k-p" => Fraction, "points" => Points }
    end

    # Returns the design of that name with these factors; see new.
    def named(name, ...)
      all.fetch(name).new(...)
    end
  end

  # analysis is the analysis of the log analyzer: "anova", "effects" or "none".
  class_attribute :label, :analysis
  # matrix says whether the points fill a table; extensible, whether levels may be added to factors.
  class_attribute :matrix, :extensible, default: false

  # factors have a name and levels. points are those of a list: [ { factor => level }, … ].
  def initialize(factors, generators: [], points: [])
    @factors, @generators, @listed = factors, generators, points
  end

  # Returns the word of definitions and experiment.json.
  def word
    Experiment::Design.all.key(self.class)
  end

  # Returns sentences; an empty list if the points can be created.
  def complaints
    return [ "experiment: a design needs at least one factor, or find instead of factors" ] if @factors.empty?

    [ *complaints_about_levels, *complaints_about_generators, *complaints_about_points ]
  end

  # Returns which effects are confounded; see Fraction.
  def confounded = nil

  def letters
    LETTERS.first(@factors.size)
  end

  private
    def product(factors)
      return [ {} ] if factors.empty?

      first, *others = factors.map { |factor| factor.levels.map { |level| [ factor.name, level ] } }
      first.product(*others).map(&:to_h)
    end

    def complaints_about_levels = []

    def complaints_about_generators
      @generators.any? ? [ "generators belong to a 2k-p design, and this is #{word}" ] : []
    end

    def complaints_about_points
      @listed.any? ? [ "points belong to a design of points, and this is #{word}" ] : []
    end
end
