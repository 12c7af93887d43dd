# Restricts a plot, which is a document of its own: it may contain styles, and nothing else that is active.
module Drawn
  extend ActiveSupport::Concern

  included do
    content_security_policy only: :show do |policy|
      policy.directives.clear
      policy.default_src :none
      policy.script_src :none
      policy.style_src :unsafe_inline
      policy.base_uri :none
      policy.form_action :none
      policy.frame_ancestors :none
    end
    # A nonce would permit scripts and forbid those styles.
    before_action { request.content_security_policy_nonce_directives = [] }
  end
end
