# The server that the Testmaster itself uses.
class TestRun::Database::Embedded < TestRun::Database::Remote
  def initialize
    own = ApplicationRecord.connection.raw_connection
    @host, @port, @user, @password, @maintenance = own.host, own.port, own.user, own.pass.to_s, "postgres"
  end

  # Whether no other machine can reach it.
  def here_only?
    host.start_with?("/") || Addrinfo.ip(host).then { |address| address.ipv4_loopback? || address.ipv6_loopback? }
  end
end
