require "net/http"
require "resolv"

# An address that any user may name. So it must lie outside the Testmaster's networks, or in one that the installation
# allows. Its name is resolved once and the connection uses that address, so a later answer of the name server changes
# nothing.
class Webhook::Destination
  class Refused < StandardError; end

  OPEN, SILENT, WHOLE = 5, 10, 20 # seconds
  LOOK_UP = [ 2, 3 ]
  LONGEST_ANSWER = 2.kilobytes

  # These networks are blocked beside those that IPAddr itself calls loopback, private and link-local.
  INNER = %w[
    0.0.0.0/8 100.64.0.0/10 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
    224.0.0.0/4 240.0.0.0/4 ::/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 fec0::/10
    ff00::/8
  ].map { |network| IPAddr.new(network) }

  Answer = Struct.new(:status, :text)

  def initialize(url)
    @url = url.to_s
  end

  # Returns the validation error, worded to follow the field's name, or nil. It sends no request.
  def complaint
    case
    when !uri.is_a?(URI::HTTP) || uri.host.blank? then "must be an address such as https://example.org/hook"
    when uri.userinfo                              then "must hold no user or password"
    when literal && !allowed?(literal)             then refusal_of(literal)
    end
  end

  # Returns the response, whatever its status is. It does not follow redirects.
  def post(body, headers)
    address = address_found
    Timeout.timeout(WHOLE) { connection_to(address).start { |http| answer_to http, body, headers } }
  rescue Timeout::Error
    raise Refused, "No response within #{WHOLE} s"
  rescue SystemCallError, SocketError, IOError, OpenSSL::SSL::SSLError, Net::ProtocolError, Net::HTTPBadResponse,
    Net::HTTPHeaderSyntaxError => error
    raise Refused, error.message.lines.first.to_s.strip.truncate(200)
  end

  private
    def uri
      @uri ||= URI.parse(@url)
    rescue URI::InvalidURIError
      nil
    end

    def literal
      @literal ||= IPAddr.new(uri.hostname)
    rescue IPAddr::Error
      nil
    end

    def address_found
      raise Refused, "The address #{complaint}" if complaint

      addresses = literal ? [ literal ] : look_up
      raise Refused, "#{uri.hostname} is not known to the name server" if addresses.empty?

      inner = addresses.find { |address| !allowed?(address) }
      raise Refused, "#{uri.hostname} #{refusal_of inner}" if inner

      addresses.first.to_s
    end

    def look_up
      names = Resolv::DNS.new.tap { |dns| dns.timeouts = LOOK_UP }
      Resolv.new([ Resolv::Hosts.new, names ]).getaddresses(uri.hostname).map { |address| IPAddr.new(address) }
        .sort_by { |address| address.ipv4? ? 0 : 1 }
    ensure
      names&.close
    end

    def allowed?(address)
      address = address.native
      permitted = Rails.configuration.x.webhook_networks
      permitted.any? { |network| network.family == address.family && network.include?(address) } || !inner?(address)
    end

    def inner?(address)
      address.loopback? || address.private? || address.link_local? ||
        INNER.any? { |network| network.family == address.family && network.include?(address) }
    end

    def refusal_of(address)
      "leads to #{address}, inside the network: TESTMASTER_WEBHOOK_NETWORKS of the installation can allow it"
    end

    # The certificate and the Host header still use the name of the URL.
    def connection_to(address)
      Net::HTTP.new(uri.hostname, uri.port, nil).tap do |http|
        http.ipaddr = address
        http.use_ssl = uri.scheme == "https"
        http.open_timeout = http.ssl_timeout = OPEN
        http.read_timeout = http.write_timeout = SILENT
        http.max_retries = 0
      end
    end

    def answer_to(http, body, headers)
      request = Net::HTTP::Post.new(uri, headers.merge("Content-Type" => "application/json",
        "Accept-Encoding" => "identity"))
      request.body = body
      text = +""
      status = nil
      catch :enough do
        http.request(request) do |response|
          status = response.code.to_i
          response.read_body { |piece| (text << piece).bytesize < LONGEST_ANSWER || throw(:enough) }
        end
      end
      Answer.new(status, text.byteslice(0, LONGEST_ANSWER).force_encoding(Encoding::UTF_8).scrub.delete("\0"))
    end
end
