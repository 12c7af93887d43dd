# Parses the address of another system's server, such as amqps://user:password@host:5671/vhost,
# tcp://user:password@host:61616 or postgresql://user:password@host/database. Several addresses of one kind are
# separated by commas and share user and password.
class Address::Server
  LONGEST = 2_000

  def initialize(text)
    @text = text.to_s
  end

  # The first address that has a password provides it.
  def password
    uris.filter_map(&:password).first&.then { |text| unescape text }
  end

  # Returns the addresses without passwords, as drivers accept them. Each contains the user of the first one.
  def for_driver
    user = uris.filter_map(&:user).first
    uris.map { |uri| uri.dup.tap { |it| it.password = nil; it.user = it.user || user } }.join(",")
  end

  # Returns the validation error, worded to follow the field's name and without quoting the address, or nil.
  def complaint(schemes)
    like = "such as #{schemes.first}://user:password@host"
    case
    when @text.size > LONGEST           then "has more than #{LONGEST} characters"
    when @text.match?(/[\p{Cntrl}\s]/)  then "must have no blanks and no control characters"
    when uris.nil? || uris.empty?       then "is not a URL #{like}: percent-encode what is special in user and password"
    when uris.any? { |uri| !uri.scheme.in?(schemes) } then "must be a URL of #{schemes.join(" or ")}, #{like}"
    when uris.any? { |uri| uri.host.blank? } then "must name a host, #{like}"
    when uris.any? { |uri| uri.port && !uri.port.between?(1, 65_535) } then "must name a port from 1 to 65535"
    when uris.filter_map(&:userinfo).uniq.size > 1 then "must have one user and one password for all its hosts"
    when Address.redact(for_driver) != for_driver then "must have its password between user and host, and nowhere else"
    end
  end

  # Returns the address without its password. An address that cannot be parsed is not shown.
  def without_password
    uris ? Address.redact(for_driver) : "[not a URL]"
  end

  private
    def uris
      return @uris if defined?(@uris)

      @uris = begin
        @text.split(",").map { |part| URI::Generic.build(**parts_of(part)) }
      rescue URI::Error, ArgumentError
        nil
      end
    end

    def parts_of(text)
      uri = URI.parse(text)
      raise URI::InvalidURIError if uri.opaque

      port = uri.port if text.match?(%r{:\d+(/|\?|\z)})
      { scheme: uri.scheme&.downcase, userinfo: uri.userinfo, host: uri.host, port: port, path: uri.path,
        query: uri.query }
    end

    def unescape(text)
      URI::DEFAULT_PARSER.unescape(text).force_encoding(Encoding::UTF_8)
    end
end
