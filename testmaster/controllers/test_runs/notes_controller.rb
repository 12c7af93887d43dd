# Changes the name, tags and description of a run.
class TestRuns::NotesController < ApplicationController
  include TestRunScoped

  def edit
    @notes = @test_run
  end

  def update
    annotated = @test_run.annotate(notes)

    respond_to do |format|
      format.html do
        annotated ? redirect_to(@test_run, notice: "Saved.") : render(:edit, status: :unprocessable_entity)
      end
      format.json do
        annotated ? render(json: @test_run) :
          render(json: { errors: @test_run.errors.full_messages }, status: :unprocessable_entity)
      end
    end
  end

  private
    # A program sends tags as a list, the form as text.
    def notes
      fields_of(:notes).permit(:name, :description, :tag_list, tags: [])
        .transform_values { |value| value.is_a?(Array) ? value.map { |tag| tag.to_s.squish } : value }
    end
end
