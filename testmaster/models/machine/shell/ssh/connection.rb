require "net/ssh"

# One connection, which one thread uses at a time.
class Machine::Shell::Ssh::Connection
  CONNECT = 10 # seconds of one attempt
  LATE = 2 # seconds beyond the time limit of a command, after which its endless output is cut off
  QUIET = Logger.new(nil, level: Logger::FATAL)

  attr_reader :target

  # Raises Machine::Unreachable if another attempt may help, Machine::Refused if not. The block gets the key of a
  # verified host for which no key was known.
  def self.open(target, within: CONNECT, &on_new_host_key)
    limit = [ within, CONNECT ].min
    host_keys = Machine::Shell::Ssh::HostKeys.new(target)
    greeting = Machine::Shell::Ssh::Greeting.new
    options = target.authentication.merge(proxy: greeting, port: target.port, timeout: limit, config: false,
      logger: QUIET,
      verify_host_key: host_keys, known_hosts: host_keys)

    # net-ssh has no limit on the exchange of keys.
    session = Timeout.timeout(limit, Net::SSH::ConnectionTimeout) { Net::SSH.start(target.host, target.user, options) }
    on_new_host_key.call host_keys.shown.to_s if host_keys.new?
    new target, session
  rescue *Machine::Shell::Ssh::Trouble::CONNECTING => error
    raise Machine::Shell::Ssh::Trouble.connecting(target, error, limit, greeting)
  end

  def initialize(target, session)
    @target, @session = target, session
    @session.transport.socket.extend(Machine::Shell::Ssh::Pulse::Hearing).setsockopt(:SOCKET, :KEEPALIVE, true)
  end

  # Returns the result, or nil if the command exceeded its time limit.
  def run(command, input:, output:, timeout:, silence:)
    bear_being_ignored_for silence
    exchange = Machine::Shell::Ssh::Exchange.new(@session, command, input: input, output: output, timeout: timeout)
    listen(timeout + Machine::Shell::Ssh::Exchange::GRACE, silence) { exchange.over? }
    exchange.result
  rescue Machine::Shell::Ssh::Trouble::Ours => error
    raise error.cause
  rescue *Machine::Shell::Ssh::Trouble::TALKING => error
    raise Machine::Shell::Ssh::Trouble.talking(target, error, timeout)
  ensure
    abandon unless exchange&.over?
  end

  # Returns whether the remote side still responds.
  def ping(timeout: 5)
    answered = false
    @session.send_global_request("keepalive@openssh.com") { answered = true }
    listen(timeout, timeout) { answered }
    answered
  rescue *Machine::Shell::Ssh::Trouble::TALKING
    abandon
    false
  end

  # Tells this without a request: if the remote side has closed the connection, the message is in our buffers.
  def open?
    limit_waits_by Machine::Shell::Ssh::Patience.new(LATE)
    @session.process 0 unless @session.closed?
    !@session.closed?
  rescue *Machine::Shell::Ssh::Trouble::TALKING
    abandon
    false
  end

  def close
    @session.transport.close unless @session.closed?
  rescue *Machine::Shell::Ssh::Trouble::TALKING
    abandon
  end

  private
    def listen(timeout, silence)
      patience = Machine::Shell::Ssh::Patience.new(timeout)
      limit_waits_by Machine::Shell::Ssh::Patience.new(timeout + LATE)
      pulse = Machine::Shell::Ssh::Pulse.new(@session, bearable: [ silence, timeout ].min)

      until yield || patience.over?
        raise Net::SSH::Disconnect, "the far side closed the connection" if @session.closed?
        pulse.check
        @session.process [ patience.left, pulse.interval ].min
      end
      pulse.check if patience.over?
    end

    # If the remote side does not read, a write would block without limit.
    def bear_being_ignored_for(seconds)
      @session.transport.socket.setsockopt :TCP, :USER_TIMEOUT, (seconds * 1000).to_i
    end

    def limit_waits_by(patience)
      @session.transport.socket.patience = patience
    end

    def abandon
      @session.shutdown! unless @session.closed?
    end
end
