# Lets programs authenticate with a bearer token instead of a session.
module ApiTokens
  extend ActiveSupport::Concern

  included do
    # A browser never sends a bearer token by itself, so such a request cannot be forged.
    skip_forgery_protection if: :bearer_token?
  end

  class_methods do
    # Actions that tokens must not perform use this; otherwise a stolen token could create others.
    def refuse_tokens
      before_action do
        render json: { error: "A token is not enough for this. Sign in." }, status: :forbidden if bearer_token?
      end
    end
  end

  private
    def bearer_token?
      request.authorization.to_s.start_with?("Bearer ")
    end

    def authenticate_by_token
      Current.api_token = ApiToken.find_by_secret(request.authorization.delete_prefix("Bearer ").strip)
      Current.api_token&.tap(&:used)
    end

    def refuse_token
      render json: { error: "The token is not known. Make one under Settings." }, status: :unauthorized
    end
end
