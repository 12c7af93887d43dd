require "net/ssh"

# Describes a connection: host, user, credentials and accepted host keys. Equal targets can share connections.
class Machine::Shell::Ssh::Target < Struct.new(:host, :port, :user, :private_key, :passphrase, :key_file, :host_keys,
  :trusting, keyword_init: true)
  ADVICE =
    "Give the provider a private key as ssh-keygen writes it, with its passphrase if it has one, or the path of one " \
      "on this machine, or start the Testmaster with an SSH agent (SSH_AUTH_SOCK)."
  LONGEST_KEY = 64.kilobytes
  KEY_ERRORS = [ OpenSSL::PKey::PKeyError, ArgumentError, NotImplementedError, Net::SSH::Exception, SystemCallError ]

  class NoKeyFile < ArgumentError
  end

  def to_s
    "#{user}@#{address}"
  end

  # Returns the address in the format of known_hosts.
  def address
    port == 22 ? host : "[#{host}]:#{port}"
  end

  # Exceptions show the inspected object, so it contains no secrets.
  def inspect
    "#<#{self.class} #{self}>"
  end

  # Returns options of net-ssh: a given key, that of a file, or those of the agent. Nothing of ~/.ssh is read.
  def authentication
    if complaint
      raise Machine::Refused.new("Cannot authenticate to #{self}: #{key_source} #{complaint}", advice: ADVICE)
    end

    case
    when private_key then { keys: [], key_data: [ private_key ], use_agent: false }
    when key_file    then { keys: [ File.expand_path(key_file) ], keys_only: true }
    else { keys: [], key_data: [] }
    end.merge(passphrase: passphrase, auth_methods: %w[ publickey ], non_interactive: true).compact
  end

  # Returns "ssh-ed25519 AAAA…" for authorized_keys; nil if only the agent has the key.
  def public_key
    key = key_data && load(key_data).public_key
    key && "#{key.ssh_type} #{[ key.to_blob ].pack("m0")}"
  rescue *KEY_ERRORS
    nil
  end

  # Returns the error of the key, or nil. It does not use the words of the parser, which might quote the key.
  def complaint
    if key_data
      load(key_data) && nil
    elsif ENV["SSH_AUTH_SOCK"].blank?
      "could do, but there is no agent"
    end
  rescue *KEY_ERRORS => error
    case
    when error.is_a?(SystemCallError) then "cannot be read (#{error.class.new.message})"
    when error.is_a?(NoKeyFile)       then "is not a regular file of at most 64 KB"
    when encrypted?(error) then "has a passphrase, which is missing or wrong"
    else "is no private key"
    end
  end

  def key_source
    case
    when private_key then "the private key of the provider"
    when key_file    then "the key file #{key_file}"
    else "any key of the SSH agent"
    end
  end

  private
    def key_data
      private_key || (read_key_file if key_file)
    end

    # The file is opened without blocking, as it might be a pipe, and read up to a limit, as it might be an endless
    # device.
    def read_key_file
      File.open(File.expand_path(key_file), File::RDONLY | File::NONBLOCK) do |file|
        raise NoKeyFile unless file.stat.file? && file.size <= LONGEST_KEY
        file.read
      end
    end

    def load(data)
      Net::SSH::KeyFactory.load_data_private_key(data, passphrase.presence, false)
    end

    def encrypted?(error)
      error.try(:encrypted_key?) || key_data.include?("ENCRYPTED")
    end
end
