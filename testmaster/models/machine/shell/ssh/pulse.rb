# Distinguishes a hung machine from a slow command: a machine that was silent for a while gets a ping.
class Machine::Shell::Ssh::Pulse
  # Extends the socket of a connection: notes when any data arrived, even if it only allows us to send more.
  module Hearing
    attr_reader :heard_at
    attr_writer :patience

    # net-ssh continues to read as long as data arrives, so this stops a machine that sends endlessly.
    def fill(...)
      raise Net::SSH::Timeout, "it talks on and on" if @patience&.over?
      super.tap { |bytes| @heard_at = Process.clock_gettime(Process::CLOCK_MONOTONIC) if bytes.positive? }
    end
  end

  def initialize(session, bearable:)
    @session, @bearable = session, bearable
    @begun_at = now
  end

  def check
    raise Net::SSH::Timeout, "no sign of life for #{@bearable} s" if now - heard_at >= @bearable
    ask if now - heard_at > interval && !asked?
  end

  def interval
    @bearable / 4.0
  end

  private
    def heard_at
      [ @session.transport.socket.heard_at, @begun_at ].compact.max
    end

    def asked?
      @asked_at && @asked_at >= heard_at
    end

    def ask
      @asked_at = now
      @session.send_global_request("keepalive@openssh.com") { }
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
end
