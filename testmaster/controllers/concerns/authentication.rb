module Authentication
  extend ActiveSupport::Concern
  include ApiTokens

  included do
    before_action :require_authentication
    helper_method :authenticated?
  end

  class_methods do
    def allow_unauthenticated_access(**options)
      skip_before_action :require_authentication, :require_role, **options
    end
  end

  private
    def authenticated?
      resume_session.present?
    end

    def require_authentication
      if bearer_token?
        authenticate_by_token || refuse_token
      else
        resume_session || request_authentication
      end
    end

    def resume_session
      Current.session ||= Session.alive.preload(:user).find_by(id: cookies.signed[:session_id])
        &.then { |found| found.tap(&:seen) if found.user } # the account may be removed at this moment
    end

    def request_authentication
      respond_to do |format|
        format.any(:html, :turbo_stream) do
          if request.get? || request.head?
            session[:return_to_after_authenticating] = request.fullpath
            redirect_to new_session_path
          else
            redirect_to new_session_path, alert: "You are signed out, so this was not done. Sign in, and do it again.",
              status: :see_other
          end
        end
        format.any do
          render json: { error: "Sign in, or send a token: Authorization: Bearer …" }, status: :unauthorized
        end
      end
    end

    def after_authentication_path
      session.delete(:return_to_after_authenticating) || root_path
    end

    def start_new_session_for(user)
      after_authentication_path.tap do
        reset_session
        Current.session = user.sessions.create!(user_agent: request.user_agent.to_s.first(500),
          ip_address: request.remote_ip)
        cookies.signed[:session_id] = {
          value: Current.session.id, expires: Session::LIFETIME, httponly: true, same_site: :lax
        }
        cookies.signed[:known_to] = { value: user.id, expires: 1.year, httponly: true, same_site: :lax }
      end
    end

    def terminate_session
      Current.session&.destroy
      cookies.delete(:session_id)
      reset_session
    end
end
