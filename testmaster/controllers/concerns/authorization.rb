# Checks permissions. Unless a controller says otherwise, viewers may read, and all else needs an experimenter.
module Authorization
  extend ActiveSupport::Concern

  included do
    class_attribute :roles_needed, default: {}, instance_writer: false
    before_action :require_role
    helper_method :may?
  end

  class_methods do
    def open_to(role, only: nil)
      self.roles_needed = roles_needed.merge(Array(only || :all).to_h { |action| [ action.to_s, role.to_s ] })
    end
  end

  private
    def may?(role)
      Current.may? role
    end

    def role_needed
      roles_needed.fetch(action_name) { roles_needed.fetch("all") { usual_role } }
    end

    def usual_role
      (request.get? || request.head?) && !action_name.in?(%w[ new edit ]) ? "viewer" : "experimenter"
    end

    def require_role
      refuse_role unless may?(role_needed)
    end

    def refuse_role
      @explanation = "This is for the role #{role_needed}. Your #{"token" if Current.api_token} " \
        "role is #{Current.role}; an administrator can change it.".squish

      respond_to do |format|
        format.any(:html, :turbo_stream) { render "shared/refused", formats: :html, status: :forbidden }
        format.any { render json: { error: @explanation }, status: :forbidden }
      end
    end
end
