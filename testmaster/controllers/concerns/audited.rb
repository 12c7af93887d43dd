# Adds each request that changed something to the audit log, with its user, unless its controller says that it did not.
module Audited
  extend ActiveSupport::Concern

  included { after_action :write_down, unless: -> { request.get? || request.head? } }

  class_methods do
    def not_audited(**options)
      skip_after_action :write_down, **options
    end
  end

  private
    def write_down
      user = Current.user
      if user && done?
        AuditEntry.create! user: user, who: user.email_address, token: Current.api_token&.name, action: audited_action,
          subject: AuditEntry.label(audited_subject), test_run: audited_run, ip_address: request.remote_ip
      end
    end

    # A controller that may perform only a part of a request overrides this.
    def done?
      response.status < 400 && flash.alert.blank?
    end

    def audited_action
      AuditEntry.word_of controller_path, action_name
    end

    def audited_subject
      instance_variable_get("@#{controller_name.singularize}") || @test_run || @provider
    end

    def audited_run
      @test_run if @test_run.is_a?(TestRun) && @test_run.persisted?
    end
end
