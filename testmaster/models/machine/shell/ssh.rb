require "net/ssh"

# Runs commands on a machine reached by SSH. Many shells, and many threads, share the connections of a pool.
#
# host_keys are the accepted host keys, as lines "ssh-ed25519 AAAA…". If there are none, on_new_host_key receives the
# first key that the machine shows and stores it. Without on_new_host_key, an unknown machine is refused. A machine
# without a sign of life for silence seconds counts as hung, however long its command may take.
class Machine::Shell::Ssh < Machine::Shell
  PATIENCE = 30 # seconds until connected, all attempts together
  FIRST_WAIT, LONGEST_WAIT, ATTEMPTS = 0.2, 3.0, 5

  class_attribute :pool, instance_accessor: false, default: Pool.new

  def initialize(host:, user:, port: 22, private_key: nil, passphrase: nil, key_file: nil, host_keys: [],
    on_new_host_key: nil, silence: 15, pool: self.class.pool)
    @target = Target.new(host: host, user: user, port: port, private_key: private_key, passphrase: passphrase,
      key_file: key_file,
      host_keys: host_keys, trusting: on_new_host_key.present?)
    @on_new_host_key, @silence, @pool = on_new_host_key, silence, pool
  end

  # Closes the pool's idle connections to this machine; the next command opens one again.
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

    # Retries errors that may be temporary. A command is never retried: it may have done its work.
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
