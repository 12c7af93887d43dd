# Reads the remote side's first line: its version, or why it refuses the connection. net-ssh asks it for the socket.
class Machine::Shell::Ssh::Greeting
  LONGEST = 500

  # Extends the socket of a connection.
  module Heard
    attr_accessor :greeting

    def readpartial(...)
      super.tap { |bytes| greeting.hear bytes }
    end
  end

  def initialize
    @said = String.new
  end

  def open(host, port, options)
    Socket.tcp(host, port, connect_timeout: options[:timeout]).extend(Heard).tap { |socket| socket.greeting = self }
  end

  def hear(bytes)
    @said << bytes if @said.size < LONGEST && !version?
  end

  def version?
    @said.match?(/^SSH-/)
  end

  # Returns a text such as "Not allowed at this time".
  def refusal
    @said.scrub.gsub(/[^[:print:]]+/, " ").strip unless version?
  end
end
