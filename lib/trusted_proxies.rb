require "ipaddr"

# Accepts the forwarded address of a client only from a proxy that the configuration names. Rails itself would trust
# every client on this machine or in a private network, which would defeat the limit of attempts per address.
class TrustedProxies
  HEADERS = %w[ HTTP_X_FORWARDED_FOR HTTP_CLIENT_IP HTTP_FORWARDED HTTP_X_FORWARDED_HOST HTTP_X_FORWARDED_PORT
    HTTP_X_FORWARDED_PROTO HTTP_X_FORWARDED_SSL HTTP_X_FORWARDED_SCHEME ]

  # text is such as "10.0.0.5, 192.168.7.0/24".
  def self.parse(text)
    text.to_s.split(/[\s,]+/).reject(&:empty?).map { |address| IPAddr.new(address) }
  rescue IPAddr::Error => error
    raise ArgumentError,
      "TESTMASTER_TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.5, 192.168.7.0/24: #{error.message}"
  end

  def initialize(app, proxies)
    @app, @proxies = app, proxies
  end

  def call(env)
    HEADERS.each { |header| env.delete header } unless trusted?(env["REMOTE_ADDR"])
    @app.call env
  end

  private
    def trusted?(address)
      @proxies.any? { |proxy| proxy.include?(IPAddr.new(address)) }
    rescue IPAddr::Error
      false
    end
end
