# What came of a run: its zip, its figures, what the log analyzer says of them, and the verdict. The run keeps the
# columns.
class Outcome
  include Archived, Compared, Examined, Judged, Marked, Measured, Modelled

  attr_reader :run

  delegate :id, :archive, :commands, :definition, :duration, :ended?, :events, :experiment, :figures, :jvms,
    :load_starts_at, :samples, :steady_seconds, :steps, :steps?, :system, :tries, :warmup, to: :run

  # What the outcomes of those at work are read from, for all of them at once
  def self.preload(runs)
    ActiveRecord::Associations::Preloader.new(records: runs.reject(&:ended?), associations: %i[ steps jvms ]).call
  end

  delegate :limits, to: :definition

  def initialize(run)
    @run = run
  end
end
