# The results of a run: its zip, its figures, the log analyzer's checks, and the verdict. The run stores them in its
# columns.
class Outcome
  include Archived, Compared, Examined, Judged, Marked, Measured, Modelled

  attr_reader :run

  delegate :id, :archive, :commands, :definition, :duration, :ended?, :events, :experiment, :figures, :jvms,
    :load_starts_at, :samples, :steady_seconds, :steps, :steps?, :system, :tries, :warmup, to: :run

  # Loads all records that the outcomes of active runs need.
  def self.preload(runs)
    ActiveRecord::Associations::Preloader.new(records: runs.reject(&:ended?), associations: %i[ steps jvms ]).call
  end

  delegate :limits, :phases?, to: :definition

  def initialize(run)
    @run = run
  end
end
