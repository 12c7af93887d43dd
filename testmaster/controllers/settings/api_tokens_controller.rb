class Settings::ApiTokensController < ApplicationController
  refuse_tokens
  open_to :viewer

  def create
    @api_token = Current.user.api_tokens.build(api_token_params)

    # This response shows the secret: it is not stored, so a redirect could not show it.
    if @api_token.save
      render "settings/show", status: :created
    else
      render "settings/show", status: :unprocessable_entity
    end
  end

  def destroy
    @api_token = Current.user.api_tokens.find(params[:id]).destroy!
    redirect_to settings_section_path("tokens"), notice: "The token is no longer valid.", status: :see_other
  end

  private
    def api_token_params
      fields_of(:api_token).permit(:name, :role, :lifetime).then do |given|
        lifetime = ApiToken::LIFETIMES[given.delete(:lifetime)]
        lifetime ? given.merge(expires_at: lifetime.from_now) : given
      end
    end
end
