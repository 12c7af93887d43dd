require "net/ssh"

# Knows the accepted keys of a host. net-ssh asks it for the preferred kinds of keys, and to verify the key that it
# receives.
class Machine::Shell::Ssh::HostKeys
  Key = Struct.new(:ssh_type, :to_blob) do
    def self.parse(line)
      type, data = line.split
      new type, data.to_s.unpack1("m")
    end

    def to_s
      "#{ssh_type} #{[ to_blob ].pack("m0")}"
    end

    def fingerprint
      Net::SSH::Authentication::PubKeyFingerprint.fingerprint(to_blob, "SHA256")
    end
  end

  attr_reader :shown

  def initialize(target)
    @target = target
    @known = target.host_keys.map { |line| Key.parse(line) }
  end

  def new?
    @known.empty?
  end

  def search_for(host, options = {})
    Net::SSH::HostKeys.new(@known.dup, host, self, options)
  end

  def verify(arguments)
    @shown = Key.new(arguments[:key].ssh_type, arguments[:key_blob])
    case
    when @known.include?(@shown) then true
    when @known.any?             then raise changed
    when @target.trusting        then true
    else raise strange
    end
  end

  def verify_signature
    yield
  end

  private
    def strange
      Machine::Refused.new("Unknown host key for #{@target.address}: #{@shown.fingerprint}",
        advice: "Compare it on the machine itself (ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub), then put what " \
          "ssh-keyscan -p #{@target.port} #{@target.host} prints into the known hosts of the provider.")
    end

    def changed
      Machine::HostKeyChanged.new("The host key of #{@target.address} has changed: it shows #{@shown.fingerprint}, " \
        "known is #{@known.map(&:fingerprint).to_sentence(last_word_connector: " or ", two_words_connector: " or ")}",
        advice: "If the machine was installed anew, put what ssh-keyscan -p #{@target.port} #{@target.host} prints " \
          "into the known hosts of the provider, which take precedence. If not, another machine may " \
            "use this address: do not connect.")
    end
end
