# Knows the accepted keys of a host: the listed ones, or else the first that it showed.
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

    # Two processes that meet the host at the same time must see the same key. This may run in a thread, so it uses a
    # database connection of its own and returns it. No command is sent to a host whose key is not stored.
    def learn(host, key)
      return if new_record?

      self.class.connection_pool.with_connection do
        known = host_keys.create_or_find_by!(address: host.address) { |host_key| host_key.key = key }
        unless known.key == key
          raise Machine::Refused.new("#{host.address} showed different host keys in two connections",
            advice: "Another machine may use this address: find out before you connect again.")
        end
      end
    end
end
