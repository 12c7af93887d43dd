# Arranges points of a full design as a grid: the first factors along the top, the others along the side.
class Experiment::Matrix
  MOST_COLUMNS = 8 # that fit on a wide page
  MOST_ROWS = 16
  FACTORS = 2..4

  attr_reader :across, :down

  # Returns nil if the design has no such shape or the grid is too wide for a page.
  def self.of(experiment)
    return unless Experiment::Design.all[experiment.design]&.matrix && experiment.factors.size.in?(FACTORS)

    new(experiment).then { |matrix| matrix if matrix.fits? }
  end

  def initialize(experiment)
    factors = experiment.factors.to_a
    @across, @down = factors.partition.with_index { |_, n| n < factors.size - (factors.size > 3 ? 2 : 1) }
    @points = experiment.points.index_by(&:levels)
  end

  def fits?
    columns.size <= MOST_COLUMNS && rows.size <= MOST_ROWS
  end

  # Returns [ { "brokers" => 1, "size" => 100 }, … ].
  def columns
    combinations_of across
  end

  def rows
    combinations_of down
  end

  def point_at(row, column)
    @points[row.merge(column)]
  end

  private
    def combinations_of(factors)
      first, *others = factors.map { |factor| factor.levels.map { |level| [ factor.name, level ] } }
      first.product(*others).map(&:to_h)
    end
end
