Rails.application.configure do
  config.content_security_policy do |policy|
    policy.default_src :self
    policy.script_src  :self
    policy.style_src   :self
    policy.img_src     :self, :data
    policy.object_src  :none
    policy.base_uri    :self
    policy.form_action :self
    policy.frame_ancestors :self
  end

  # Import maps are inline scripts, and Turbo's progress bar is an inline style sheet. Turbo keeps the nonce of its
  # first page, so the nonce is constant within a session, and must not reveal the session's id.
  config.content_security_policy_nonce_generator =
    ->(request) { request.session[:csp_nonce] ||= SecureRandom.base64(16) }
  config.content_security_policy_nonce_directives = %w[ script-src style-src ]
end
