class SettingsController < ApplicationController
  refuse_tokens

  def show
  end

  private
    def role_needed
      SettingsHelper::SECTIONS.fetch(params[:section].to_s).last
    end
end
