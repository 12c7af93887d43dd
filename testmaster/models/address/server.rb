# Where a server of another system is: amqps://user:password@host:5671/vhost, tcp://user:password@host:61616,
# postgresql://user:password@host/database; several of one kind with commas between them, which share user and password.
class Address::Server
  LONGEST = 2_000

  def initialize(text)
    @text = text.to_s
  end

  # Of the first that has one
  def password
    uris.filter_map(&:password).first&.then { |text| unescape text }
  end

  # Without a password, as drivers take it; the user of the first stands in each.
  def for_driver
    user = uris.filter_map(&:user).first
    uris.map { |uri| uri.dup.tap { |it| it.password = nil; it.user = it.user || user } }.join(",")
  end

  # What is wrong with it, in words that follow its name and do not quote it; nil where nothing is.
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

  # As it can be shown. What cannot be understood is not shown.
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
