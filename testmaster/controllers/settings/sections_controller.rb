class Settings::SectionsController < ApplicationController
  refuse_tokens

  def show
    render "settings/show"
  end

  private
    def role_needed
      SettingsHelper::SECTIONS.fetch(params[:id]).last
    end
end
