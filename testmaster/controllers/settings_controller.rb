class SettingsController < ApplicationController
  def show
    @user = Current.user
    @api_tokens = @user.api_tokens.ordered
    @providers = Provider.order(:name)
  end
end
