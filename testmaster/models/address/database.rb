# Parses postgresql://user:password@host:5432/postgres, with or without the prefix jdbc:. User, password and connection
# parameters without secrets may also follow the question mark.
class Address::Database
  FORMAT = %r{\A(jdbc:)?postgres(ql)?://[^\s\p{Cntrl}]+\z}
  LONGEST = 2_000
  SECONDS = [ /\A[1-9]\d{0,3}\z/, "must be a number of seconds from 1 to 9999" ]
  # The table maps each option to its libpq name and the pattern of its values.
  OPTIONS = {
    "sslmode"         => [ "sslmode", /\A(disable|allow|prefer|require|verify-ca|verify-full)\z/,
      "must be disable, allow, prefer, require, verify-ca or verify-full" ],
    "sslrootcert"     => [ "sslrootcert", %r{\A/[\w./-]{1,300}\z},
      "must be the path of a file, which is the same here and on the machines of the run" ],
    "connect_timeout" => [ "connect_timeout", *SECONDS ],
    "connectTimeout"  => [ "connect_timeout", *SECONDS ]
  }
  JDBC_NAMES = { "connect_timeout" => "connectTimeout" }
  KNOWN = [ "user", "password", *OPTIONS.keys ]

  def initialize(text)
    @text = text.to_s
  end

  def host     = uri.hostname
  def port     = uri.port || 5432
  def user     = unescape(uri.user) || parameters["user"]
  def password = unescape(uri.password) || parameters["password"]
  def name     = uri.path.delete_prefix("/").presence

  # Returns the options for PG.connect, such as { "sslmode" => "require" }.
  def options
    parameters.slice(*OPTIONS.keys).transform_keys { |name| OPTIONS.fetch(name).first }
  end

  # Returns the options as JDBC names them, such as "?sslmode=require".
  def jdbc_options
    options.any? ? "?#{URI.encode_www_form(options.transform_keys { |name| JDBC_NAMES.fetch(name, name) })}" : ""
  end

  # Returns the validation error, worded to follow the field's name and without quoting the address, or nil.
  def complaint
    case
    when @text.size > LONGEST ||
      !@text.match?(FORMAT) then "must be embedded, machine, or a URL such as " \
        "postgresql://user:password@host:5432/postgres"
    when uri.nil?                              then "is not a URL: percent-encode what is special in user and password"
    when host.blank?                           then "must name a host"
    when !port.between?(1, 65_535)             then "must name a port from 1 to 65535"
    when (parameters.keys - KNOWN).any?        then "may have these parameters after the question mark, and no " \
      "others: #{KNOWN.to_sentence}"
    when complaint_about_options               then complaint_about_options
    when user.blank?                           then "must name a user"
    when [ user, password,
      name ].compact.any? { |part| !part.valid_encoding? ||
      part.match?(/\p{Cntrl}/) } then "must have no control characters"
    end
  end

  # Returns the address without its password. An address that cannot be parsed is cut so far that no password remains.
  def without_password
    if complaint
      scheme = @text[%r{\A(?:jdbc:)?(?:[a-z][a-z0-9+.-]*://)?}i]
      who, at, where = @text.delete_prefix(scheme).rpartition("@")
      "#{scheme}#{who[/\A[^:\/]*/]}#{at}#{where.sub(/\?.*|:(?!\d{1,6}(?:\/|\z)).*/m, "")}".truncate(LONGEST)
    else
      scheme, port = @text[%r{\A(?:jdbc:)?[a-z]+://}], (":#{uri.port}" if uri.port)
      "#{scheme}#{escape(user)}@#{uri.host}#{port}#{uri.path}#{shown_options}"
    end
  end

  private
    def complaint_about_options
      name, = parameters.slice(*OPTIONS.keys).find { |name, value| !value.match?(OPTIONS.fetch(name).second) }
      "has the parameter #{name}, which #{OPTIONS.fetch(name).third}" if name
    end

    def shown_options
      given = parameters.slice(*OPTIONS.keys)
      "?#{given.map { |name, value| "#{name}=#{value}" }.join("&")}" if given.any?
    end

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
