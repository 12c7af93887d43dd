class TestRuns::ArchivesController < ApplicationController
  include Streamed, TestRunScoped

  def show
    if @test_run.archive.attached?
      send_blob @test_run.archive.blob
    else
      raise ActiveRecord::RecordNotFound.new("Test run #{@test_run.id} has no logs to download yet",
        "archive of test run", :id, @test_run.id)
    end
  end
end
