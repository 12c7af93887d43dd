# Deletes the figures of each second of runs that ended long ago. The figures of longer steps stay.
module TestRun::Thinned
  extend ActiveSupport::Concern

  # The SQL computes the length of the remaining steps [s], as TestRun::Step.length_in does.
  COARSE = "ceil((test_runs.definition ->> 'duration')::int / #{TestRun::Step::COUNT}.0)"

  included do
    scope :to_be_thinned, ->(limit) {
      ended_before(limit).where(<<~SQL.squish)
        EXISTS (SELECT 1 FROM samples WHERE samples.test_run_id = test_runs.id) OR
          EXISTS (SELECT 1 FROM test_run_readings AS readings WHERE readings.test_run_id = test_runs.id AND
            readings.length < #{COARSE})
      SQL
    }
    scope :ended_before, ->(limit) { where state: TestRun::Summarized::ENDED, ended_at: ..limit }
  end

  # The note precedes the deletion, so that no chart ever shows a part as if it were complete.
  def note_thinned
    update_columns thinned_at: Time.current unless thinned_at
  end

  # Returns whether charts show less detail than before.
  def thinned?
    thinned_at? && TestRun::Step.length_in(self) > TestRun::Reading.lengths_in(self, all: true).first
  end
end
