require "net/ssh"

# Which keys a machine may show. net-ssh asks it for the kinds of keys to prefer, and to judge the one it sees.
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

  def initialize(lines, learn: nil)
    @known = lines.map { |line| Key.parse(line) }
    @learn = learn
  end

  # The view of one connection: what it was shown is kept once the connection has proved itself.
  def for(target)
    Verifier.new(target, @known, @learn)
  end

  class Verifier
    def initialize(target, known, learn)
      @target, @known, @learn = target, known, learn
    end

    def search_for(host, options = {})
      Net::SSH::HostKeys.new(@known.dup, host, self, options)
    end

    def verify(arguments)
      @shown = Key.new(arguments[:key].ssh_type, arguments[:key_blob])
      @known.include?(@shown) || (@known.empty? ? strange : changed)
    end

    def verify_signature
      yield
    end

    def keep_shown
      @learn.call @shown.to_s if @known.empty?
    end

    private
      def strange
        @learn or raise Machine::Refused.new("Nobody vouches for #{@target.address}, which shows the host key #{@shown.fingerprint}",
          advice: "Compare it on the machine itself (ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub), then add the line that ssh-keyscan -p #{@target.port} #{@target.host} prints to the host keys of the provider.")
      end

      def changed
        raise Machine::Refused.new("The host key of #{@target.address} has changed: it shows #{@shown.fingerprint}, known is #{@known.map(&:fingerprint).to_sentence(last_word_connector: " or ", two_words_connector: " or ")}",
          advice: "If the machine was installed anew, take its old key out of the provider's host keys. If not, somebody else may be answering in its place: do not connect.")
      end
  end
end
