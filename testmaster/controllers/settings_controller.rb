class SettingsController < ApplicationController
  def show
  end
end
