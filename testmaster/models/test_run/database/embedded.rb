# The server that the Testmaster itself uses.
class TestRun::Database::Embedded < TestRun::Database::Remote
  def initialize
    own = ApplicationRecord.connection.raw_connection
    @host, @port, @user, @password, @maintenance = own.host, own.port, own.user, own.pass.to_s, "postgres"
  end
end
