class DefinitionsController < ApplicationController
  def new
  end

  def create
    @text = params[:file].respond_to?(:read) ?
      params[:file].read.force_encoding(Encoding::UTF_8).scrub : params[:text].to_s
    @test_run = TestRun.from_definition(@text)

    if @test_run.save
      redirect_to [ :edit, @test_run ], notice: "Imported as a draft."
    else
      @mistakes = @test_run.errors.full_messages
      render :new, status: :unprocessable_entity
    end
  end
end
