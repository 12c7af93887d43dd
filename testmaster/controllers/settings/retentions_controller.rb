# Changes the retention times of data that would only grow.
class Settings::RetentionsController < ApplicationController
  refuse_tokens
  open_to :administrator

  def update
    @chores = Chore.all_made.each { |chore| chore.kept_days = days[chore.kind] if days.key?(chore.kind) }

    # Either all of them are saved, or none.
    if @chores.map(&:valid?).all?
      Chore.transaction { @chores.each(&:save!) }
      redirect_to settings_section_path("disk"), notice: "How long things are kept is saved."
    else
      render "settings/show", status: :unprocessable_entity
    end
  end

  private
    def days
      fields_of(:retention).permit(*Chore::KINDS).to_h
    end
end
