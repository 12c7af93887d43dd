# Deletes several runs after a confirmation.
class TestRuns::DeletionsController < ApplicationController
  include Ticked

  def new
    @test_runs = ticked_runs
  end

  def create
    kept = ticked_runs.to_a
    deleted = kept.select(&:destroy)
    kept -= deleted
    answer_ticked deleted, "#{helpers.pluralize deleted.size, "run"} deleted, with logs and analyses.",
      kept.map { |run| "Run #{run.id} #{run.errors.full_messages.to_sentence}" }.presence ||
        (deleted.empty? ? [ "No run is chosen" ] : [])
  end
end
