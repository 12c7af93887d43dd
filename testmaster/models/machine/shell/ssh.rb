require "net/ssh"

# Commands on a machine reached by SSH. Many shells, and many threads, share the connections of a pool.
#
# host_keys are the keys the machine may show, as lines "ssh-ed25519 AAAA…". Where there are none, the first one it
# shows is handed to on_new_host_key, which keeps it for the next time; without on_new_host_key a machine nobody vouches
# for is refused. A machine that gives no sign of life for silence seconds is taken for one that hangs, however long its
# command may take.
class Machine::Shell::Ssh < Machine::Shell
  PATIENCE = 30 # seconds at most until connected, all attempts together
  FIRST_WAIT, LONGEST_WAIT, ATTEMPTS = 0.2, 3.0, 5

  class_attribute :pool, instance_accessor: false, default: Pool.new

  def initialize(host:, user:, port: 22, private_key: nil, passphrase: nil, key_file: nil, host_keys: [],
    on_new_host_key: nil, silence: 15, pool: self.class.pool)
    @target = Target.new(host: host, user: user, port: port, private_key: private_key, passphrase: passphrase,
      key_file: key_file,
      host_keys: host_keys, trusting: on_new_host_key.present?)
    @on_new_host_key, @silence, @pool = on_new_host_key, silence, pool
  end

  # The pool's idle connections to this machine; another command opens one again.
  def close
    @pool.close @target
  end

  def inspect
    "#<#{self.class} #{@target}>"
  end

  private
    def run(command, input:, output:, timeout:)
      @pool.lend @target, within: timeout, open: -> { connect(timeout) } do |connection|
        connection.run command, input: input, output: output, timeout: timeout,
          silence: @silence or raise timed_out(command, timeout)
      end
    end

    # Tries again where another moment may bring another answer. A command is never tried again: it may have done its
    # work.
    def connect(timeout)
      patience = Patience.new([ timeout, PATIENCE ].min)
      attempt = 1

      begin
        Connection.open @target, within: patience.left, &@on_new_host_key
      rescue Machine::Penalized
        raise
      rescue Machine::Unreachable
        raise if attempt == ATTEMPTS || patience.left < wait_after(attempt)
        sleep wait_after(attempt)
        attempt += 1
        retry
      end
    end

    def wait_after(attempt)
      [ FIRST_WAIT * 2**(attempt - 1), LONGEST_WAIT ].min
    end
end
