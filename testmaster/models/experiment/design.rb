# Which points an experiment has, and how they are analysed: a class for each design. Each answers points, as
# [ { "workers" => 8, … }, … ] where the first factor changes slowest, and size, which is how many they are. Sources:
# R. Jain, The Art of Computer Systems Performance Analysis, 1991, chapters 16 to 19; G. Box, W. Hunter, J. Hunter,
# Statistics for Experimenters.
class Experiment::Design
  LETTERS = ("a".."h").to_a # of factors, in their order; "i" is the mean

  class << self
    # { "grid" => Experiment::Design::Grid, … }
    def all
      @all ||= { "one-factor" => OneFactor, "grid" => Grid, "2k" => TwoLevels, "2k-p" => Fraction, "points" => Points }
    end

    # What a design with these factors is; see new
    def named(name, ...)
      all.fetch(name).new(...)
    end
  end

  # What the log analyzer makes of its runs: "anova", "effects" or "none"
  class_attribute :label, :analysis
  # Whether its points fill a table, and levels may be added to its factors
  class_attribute :matrix, :extensible, default: false

  # factors: with name and levels. points: those of a list, as [ { factor => level }, … ]
  def initialize(factors, generators: [], points: [])
    @factors, @generators, @listed = factors, generators, points
  end

  # As definitions and experiment.json write it
  def word
    Experiment::Design.all.key(self.class)
  end

  # Sentences; none where the points can be made.
  def complaints
    return [ "experiment: a design needs a factor at least, or find in place of factors" ] if @factors.empty?

    [ *complaints_about_levels, *complaints_about_generators, *complaints_about_points ]
  end

  # Which effects cannot be told apart; see Fraction
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
