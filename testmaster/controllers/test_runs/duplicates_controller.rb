class TestRuns::DuplicatesController < ApplicationController
  include TestRunScoped

  def create
    copy = @test_run.duplicate
    copy.save!

    respond_to do |format|
      format.html { redirect_to [ :edit, copy ] }
      format.json { render json: copy, status: :created, location: copy }
    end
  end
end
