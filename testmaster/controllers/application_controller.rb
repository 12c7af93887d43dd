class ApplicationController < ActionController::Base
  include Authentication # first, as the others need the user
  include Authorization, Audited, SoundParams

  allow_browser versions: :modern, if: -> { request.format.html? }

  rescue_from ActiveRecord::RecordNotFound, with: :not_found
  rescue_from ActionController::InvalidAuthenticityToken, with: :invalid_authenticity_token

  private
    # A program gets the error as JSON, even if it asked for a file.
    def not_found(error)
      raise error unless request.format.json? || bearer_token?
      render json: { error: "There is no #{error.model.to_s.underscore.humanize.downcase} #{error.id}." },
        status: :not_found
    end

    # The forms of a page expire with their session.
    def invalid_authenticity_token(error)
      authenticated? ? raise(error) : request_authentication
    end
end
