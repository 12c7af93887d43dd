require "aws-sdk-ec2"

module Provider::Ec2::Connection
  extend ActiveSupport::Concern

  ATTEMPTS, ATTEMPTS_OF_PAGES = 8, 2

  included do
    after_save { @client = @images = nil }
  end

  def client
    @client ||= Aws::EC2::Client.new(**client_options)
  end

  # The client is created here, before threads share it.
  def release_all(machines)
    client
    super
  end

  def impatient
    tap { @client, @attempts = nil, ATTEMPTS_OF_PAGES }
  end

  def reload(...)
    @client = @images = nil
    super
  end

  private
    def ec2(operation, **parameters)
      client.public_send(operation, **parameters)
    rescue *Provider::Ec2::Error::SOURCES => error
      raise Provider::Ec2::Error.from(error, operation)
    end

    # The SDK retries after throttling, broken connections and server errors, at growing intervals.
    def client_options
      { region: region, endpoint: endpoint, credentials: credentials, profile: (profile unless credentials),
        retry_mode: "standard", max_attempts: @attempts || ATTEMPTS, http_open_timeout: 5,
        http_read_timeout: 30 }.compact
    end

    def credentials
      Aws::Credentials.new(access_key_id, secret_access_key, session_token) if access_key_id?
    end
end
