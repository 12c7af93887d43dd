require "net/ssh"

# Explains errors of SSH connections, with a remedy.
module Machine::Shell::Ssh::Trouble
  TALKING = [ SystemCallError, IOError, Net::SSH::Exception, OpenSSL::Cipher::CipherError ]
  CONNECTING = [ *TALKING, SocketError, OpenSSL::PKey::PKeyError ]
  Ours = Class.new(StandardError)
  PENALTIES =
    "sshd does so after failed or unfinished attempts from an address (PerSourcePenalties, from OpenSSH " \
      "9.8 on), or serves too many at once (MaxStartups). " \
    "Do not connect for some minutes; journalctl -u ssh there says which it is, PerSourcePenaltyExemptList exempts " \
      "our address."
  NAME_LATER = "Temporary failure in name resolution"

  class << self
    # error occurred while connecting, after at most limit seconds.
    def connecting(target, error, limit, greeting = nil)
      case error
      when Net::SSH::AuthenticationFailed, ->(it) { it.message.include?("Too many authentication failures") }
        key_refused target
      when SocketError
        unresolved target, error
      when Errno::ECONNREFUSED
        Machine::Unreachable.new("#{target.address} refuses connections",
          advice: "Start sshd there (systemctl start ssh), or correct the port in the settings of the provider.")
      when Errno::ETIMEDOUT, Net::SSH::ConnectionTimeout, Net::SSH::Timeout
        Machine::Unreachable.new("#{target.address} does not respond within #{limit.round(1)} s",
          advice: "Check whether the machine is up, and whether a firewall blocks port #{target.port} from here. " \
            "If it hangs, restart it.")
      when ->(it) { (it.is_a?(Net::SSH::Disconnect) || it.is_a?(Errno::ECONNRESET)) && greeting&.refusal }
        sent_away target, greeting.refusal
      when Net::SSH::Disconnect, SystemCallError, IOError
        Machine::Unreachable.new("#{target.address} broke the connection while connecting (#{error.message})",
          advice: "See the log of sshd there (journalctl -u ssh); it may have too many connections at once " \
            "(MaxStartups).")
      else
        Machine::Refused.new("SSH handshake with #{target.address} failed (#{error.message})",
          advice: "Update sshd there; RSA/SHA-1 and DSA keys are not used any more.")
      end
    end

    # error occurred while a command ran, whose time limit is timeout seconds.
    def talking(target, error, timeout)
      case error
      when Net::SSH::Timeout
        Machine::Unreachable.new("#{target.address} stopped responding (#{error.message})",
          advice: "The machine hangs, or the network lost it: see its console, restart it.")
      else
        Machine::Unreachable.new("The connection to #{target.address} was lost while a command ran (#{error.message})",
          advice: "Check whether the machine is still up. Its results so far are kept; the run continues " \
            "from there.")
      end
    end

    private
      def key_refused(target)
        Machine::Refused.new("#{target.host} does not accept #{target.key_source} for the user #{target.user}",
          advice: if key = target.public_key
            "Add this line to ~#{target.user}/.ssh/authorized_keys there: #{key}"
                  else
            "Add one of the agent's keys (ssh-add -L) to ~#{target.user}/.ssh/authorized_keys there; an agent with " \
              "many keys may need the right one as a key file."
                  end)
      end

      # A server that gives a reason refuses permanently. A server that gives none may be starting or stopping.
      def sent_away(target, words)
        if words.present?
          Machine::Penalized.new("#{target.address} closed the connection before the SSH handshake: " \
            "#{words.truncate(100)}", advice: PENALTIES)
        else
          Machine::Unreachable.new("#{target.address} closed the connection before the SSH handshake",
            advice: PENALTIES)
        end
      end

      def unresolved(target, error)
        if error.message.include?(NAME_LATER)
          Machine::Unreachable.new("The name #{target.host} cannot be resolved at present",
            advice: "Check whether this machine reaches its name server.")
        else
          Machine::Refused.new("The host #{target.host} does not exist, says the name service",
            advice: "Correct its name in the settings of the provider; 'getent hosts #{target.host}' on this machine " \
              "must show its address.")
        end
      end
  end
end
