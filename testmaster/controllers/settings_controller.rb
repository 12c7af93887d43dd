class SettingsController < ApplicationController
  refuse_tokens

  def show
  end
end
