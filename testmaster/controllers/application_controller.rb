class ApplicationController < ActionController::Base
  include Authentication

  allow_browser versions: :modern, if: -> { request.format.html? }

  rescue_from ActiveRecord::RecordNotFound, with: :not_found

  private
    def not_found(error)
      raise error unless request.format.json?
      render json: { error: "There is no #{error.model.to_s.underscore.humanize.downcase} #{error.id}." }, status: :not_found
    end
end
