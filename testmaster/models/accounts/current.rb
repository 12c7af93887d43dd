class Current < ActiveSupport::CurrentAttributes
  attribute :session, :api_token

  def user
    session&.user || api_token&.user
  end

  # A token has at most the permissions of its account.
  def role
    [ user&.role, api_token&.role ].compact.min_by { |role| Role::NAMES.index(role) }
  end

  def may?(wanted)
    role.present? && Role.allows?(role, wanted)
  end
end
