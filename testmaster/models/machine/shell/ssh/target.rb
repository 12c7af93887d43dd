require "net/ssh"

# Where to connect to, as whom, and what proves it. Equal targets can share connections.
class Machine::Shell::Ssh::Target < Struct.new(:host, :port, :user, :private_key, :passphrase, :key_file, keyword_init: true)
  KEY_ERRORS = [ OpenSSL::PKey::PKeyError, ArgumentError, NotImplementedError, Net::SSH::Exception, SystemCallError ]

  def to_s
    "#{user}@#{address}"
  end

  # As known_hosts has it
  def address
    port == 22 ? host : "[#{host}]:#{port}"
  end

  # Secrets stay out of exceptions, which show what they stumble over.
  def inspect
    "#<#{self.class} #{self}>"
  end

  # Options of net-ssh: the key we are given, or that of a file, or those of the agent; nothing of ~/.ssh.
  def authentication
    check_key

    case
    when private_key then { keys: [], key_data: [ private_key ], use_agent: false }
    when key_file    then { keys: [ File.expand_path(key_file) ], keys_only: true }
    else { keys: [], key_data: [] }
    end.merge(passphrase: passphrase, auth_methods: %w[ publickey ], non_interactive: true).compact
  end

  # "ssh-ed25519 AAAA…", as it belongs into authorized_keys; nil where the agent has it.
  def public_key
    key = key_data && load(key_data).public_key
    key && "#{key.ssh_type} #{[ key.to_blob ].pack("m0")}"
  rescue *KEY_ERRORS
    nil
  end

  def key_source
    case
    when private_key then "the private key of the provider"
    when key_file    then "the key file #{key_file}"
    else "the keys of the SSH agent"
    end
  end

  private
    def key_data
      private_key || (File.read(File.expand_path(key_file)) if key_file)
    end

    def check_key
      if key_data
        load key_data
      elsif ENV["SSH_AUTH_SOCK"].blank?
        raise Machine::Refused.new("There is no key to show to #{self}", advice: "Give the provider a private key or a key file, or start the Testmaster with an SSH agent (SSH_AUTH_SOCK).")
      end
    rescue *KEY_ERRORS => error
      raise Machine::Refused.new("#{key_source.upcase_first} cannot be used for #{self}: #{complaint(error)}", advice: "Give the provider a private key as ssh-keygen writes it, with its passphrase if it has one.")
    end

    def load(data)
      Net::SSH::KeyFactory.load_data_private_key(data, passphrase.presence, false)
    end

    # Not the parser's own words, lest they quote the key.
    def complaint(error)
      case
      when error.is_a?(SystemCallError) then error.message
      when private_key.to_s.include?("ENCRYPTED") || error.try(:encrypted_key?) then "the passphrase is missing or wrong"
      else "it is no private key"
      end
    end
end
