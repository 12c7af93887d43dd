module Provider::Ssh::Settings
  extend ActiveSupport::Concern

  KNOWN_HOST = /\A(?<addresses>[^\s|@#]\S*) (?<key>(?:ssh|ecdsa)-\S+ [A-Za-z0-9+\/]+=*)(?: .*)?\z/

  included do
    setting :hosts, multiline: true,
      hint: "One a line: user@host:port, then what it may serve as: broker, client, database, or any " \
        "(the default). A host serves one run at a time."
    setting :ssh_user, default: (Etc.getpwuid&.name || "root"), hint: "For hosts without one in their line",
      format: [ /\A[a-z_][\w.-]*\z/i, "must be the name of a user" ]
    setting :ssh_port, default: 22, type: :integer, range: 1..65_535, hint: "For hosts without one in their line"
    setting :private_key, hint: "As ssh-keygen writes it; empty: the key file, or the SSH agent of the Testmaster",
      secret: true
    setting :passphrase, hint: "For the private key, if it has one", secret: true
    setting :key_file, hint: "A file on the Testmaster's machine, if no private key is given"
    setting :known_hosts, multiline: true,
      hint: "Host keys that you have checked, as ssh-keyscan prints them; they take precedence over learned ones"
    setting :unknown_hosts, default: "learn", choices: %w[ learn refuse ],
      hint: "Learn: the first key of a host is kept, and any other key is refused"
    setting :folder, default: "testmaster",
      hint: "On the hosts, relative to the user's home; each run has a folder in it",
      format: [ %r{\A[\w./ -]+\z}, "must be a path of letters, digits, . _ - and /" ]

    validates :hosts, presence: { message: "must name at least one" }
    validate :hosts_make_sense, :known_hosts_make_sense, :key_can_be_used
  end

  def host_list
    lines(hosts).filter_map { |line| Provider::Ssh::Host.parse(line, user: ssh_user, port: ssh_port) }
  end

  private
    def lines(text)
      text.to_s.lines.map { |line| line.sub(/(^|\s)#.*/, "").strip }.reject(&:empty?)
    end

    def hosts_make_sense
      lines(hosts).each do |line|
        unless Provider::Ssh::Host.parse(line)
          errors.add :hosts,
            "has a line that is no host: #{line.inspect}; it should be such as admin@10.0.0.5:22 broker client"
        end
      end
      twice = host_list.map(&:address).tally.select { |_, count| count > 1 }.keys
      errors.add :hosts, "names #{twice.to_sentence} more than once" if twice.any?
    end

    def known_hosts_make_sense
      lines(known_hosts).grep_v(KNOWN_HOST).each do |line|
        errors.add :known_hosts,
          "has a line that is no host key: #{line.truncate(40).inspect}; it should be such as 10.0.0.5 ssh-ed25519 " \
            "AAAA…, without hashed names (ssh-keyscan 10.0.0.5)"
      end
    end

    def key_can_be_used
      given = private_key? ? :private_key : :key_file
      complaint = Machine::Shell::Ssh::Target.new(private_key: private_key, passphrase: passphrase,
        key_file: key_file).complaint
      errors.add given, complaint if complaint && public_send(given)
    end
end
