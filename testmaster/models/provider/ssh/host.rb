# A line of the list of hosts: "user@host:port broker client", of which only the host is required.
class Provider::Ssh::Host < Struct.new(:user, :name, :port, :roles, keyword_init: true)
  ROLES = %w[ broker client database any ]
  LINE =
    /\A(?:(?<user>[a-z_][\w.-]*)@)?(?:\[(?<address>[\h:.]+)\]|(?<name>[a-z0-9][\w.-]*))
      (?::(?<port>\d{1,5}))?(?<roles>(?:[\s,]+\w+)*)\z/ix

  # Returns nil if the line is invalid.
  def self.parse(line, user: nil, port: 22)
    if parts = LINE.match(line.strip)
      host = new(user: parts[:user] || user, name: parts[:address] || parts[:name], port: (parts[:port] || port).to_i,
        roles: parts[:roles].scan(/\w+/).presence || %w[ any ])
      host if host.sensible?
    end
  end

  # Returns "user@host:port", which the machine of a run stores as its reference.
  def to_s
    "#{user}@#{name.include?(":") ? "[#{name}]" : name}:#{port}"
  end

  # Returns the address in the format of known_hosts, which is the same for all users of the host.
  def address
    port == 22 ? name : "[#{name}]:#{port}"
  end

  def serves?(role)
    roles.include?("any") || roles.include?(role)
  end

  # Returns whether it is another machine than this one. An unknown name counts as another machine; reaching it reports
  # the error.
  def elsewhere?
    here = Socket.ip_address_list.map(&:ip_address)
    Addrinfo.getaddrinfo(name, nil, nil, :STREAM).none? do |address|
      address.ipv4_loopback? || address.ipv6_loopback? || address.ip_address.in?(here)
    end
  rescue SocketError
    false
  end

  def sensible?
    port.between?(1, 65_535) && (roles - ROLES).empty?
  end
end
