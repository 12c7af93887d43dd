# The figures that machines, JVMs and the database of a run reported in one step of the load:
# { "machine:local" => { "user" => [ sum, number of values ], … }, "jvm:broker_0" => …, "database" => … }
#
# Steps have two lengths: FINEST for a part of the load, TestRun::Step::COUNT for all of it. So the page of a run of a
# day reads as many rows as that of a minute.
class TestRun::Reading < ApplicationRecord
  FINEST = 3600 # steps of a run

  belongs_to :test_run

  # Returns the seconds of a step, the shortest first; all includes steps that are deleted by now.
  def self.lengths_in(run, all: false)
    counts = run.thinned_at && !all ? [ TestRun::Step::COUNT ] : [ FINEST, TestRun::Step::COUNT ]
    counts.map { |count| (run.duration / count.to_f).ceil }.uniq
  end
end
