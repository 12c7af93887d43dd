# postgresql://user:password@host:5432/postgres, with jdbc: before it or without. User and password may also stand after the question mark.
class Address::Database
  FORMAT = %r{\A(jdbc:)?postgres(ql)?://[^\s\p{Cntrl}]+\z}
  LONGEST = 2_000
  KNOWN = %w[ user password ]

  def initialize(text)
    @text = text.to_s
  end

  def host     = uri.hostname
  def port     = uri.port || 5432
  def user     = unescape(uri.user) || parameters["user"]
  def password = unescape(uri.password) || parameters["password"]
  def name     = uri.path.delete_prefix("/").presence

  # What is wrong with it, in words that follow its name and do not quote it; nil where nothing is.
  def complaint
    case
    when @text.size > LONGEST || !@text.match?(FORMAT) then "must be embedded, machine, or a URL such as postgresql://user:password@host:5432/postgres"
    when uri.nil?                              then "is not a URL: percent-encode what is special in user and password"
    when host.blank?                           then "must name a host"
    when !port.between?(1, 65_535)             then "must name a port from 1 to 65535"
    when (parameters.keys - KNOWN).any?        then "may have user and password after the question mark, and nothing else"
    when user.blank?                           then "must name a user"
    when [ user, password, name ].compact.any? { |part| !part.valid_encoding? || part.match?(/\p{Cntrl}/) } then "must have no control characters"
    end
  end

  # As it can be shown. What cannot be understood is cut so far that no password can be left in it.
  def without_password
    if complaint
      scheme = @text[%r{\A(?:jdbc:)?(?:[a-z][a-z0-9+.-]*://)?}i]
      who, at, where = @text.delete_prefix(scheme).rpartition("@")
      "#{scheme}#{who[/\A[^:\/]*/]}#{at}#{where.sub(/\?.*|:(?!\d{1,6}(?:\/|\z)).*/m, "")}".truncate(LONGEST)
    else
      "#{@text[/\A(?:jdbc:)?[a-z]+:\/\//]}#{escape(user)}@#{uri.host}#{":#{uri.port}" if uri.port}#{uri.path}"
    end
  end

  private
    def uri
      @uri ||= URI.parse(@text.delete_prefix("jdbc:"))
    rescue URI::InvalidURIError
      nil
    end

    def parameters
      @parameters ||= URI.decode_www_form(uri.query.to_s).to_h
    rescue ArgumentError
      { "unreadable" => "" }
    end

    def unescape(text)
      text && URI::DEFAULT_PARSER.unescape(text).force_encoding(Encoding::UTF_8)
    end

    def escape(text)
      ERB::Util.url_encode(text)
    end
end
