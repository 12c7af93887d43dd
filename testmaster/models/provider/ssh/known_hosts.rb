# Which keys a host may show: those somebody vouched for, or else the one it showed first.
module Provider::Ssh::KnownHosts
  extend ActiveSupport::Concern

  included do
    self.learns_host_keys = true
    has_many :host_keys, class_name: "Provider::HostKey", foreign_key: :provider_id, dependent: :delete_all
  end

  def known_keys(host)
    pinned_keys(host).presence || host_keys.where(address: host.address).pluck(:key)
  end

  private
    def pinned_keys(host)
      lines(known_hosts).filter_map { |line| Provider::Ssh::Settings::KNOWN_HOST.match(line) }
        .select { |known| host.address.in? known[:addresses].split(",") }.map { |known| known[:key] }
    end

    # Two that meet the host at the same time must have met the same one. This may be in a thread beside others, so it
    # takes a connection to our own database for itself, and gives it back: no command goes to a host whose key is not
    # written down.
    def learn(host, key)
      return if new_record?

      self.class.connection_pool.with_connection do
        known = host_keys.create_or_find_by!(address: host.address) { |host_key| host_key.key = key }
        unless known.key == key
          raise Machine::Refused.new("#{host.address} shows one key now and another then",
            advice: "Somebody may be answering in its place: find out before you connect again.")
        end
      end
    end
end
