# Writes the server's address and a token for bin/testmaster on the same machine: see LocalAccess.
Puma::Plugin.create do
  def start(launcher)
    launcher.events.after_booted do
      Rails.application.executor.wrap do
        address = launcher.options[:binds].first
        LocalAccess.grant address.sub(/\Atcp/, "http").sub(/:\d+\z/, ":#{launcher.connected_ports.first}")
      end
    rescue ActiveRecord::ActiveRecordError => error
      Rails.logger.warn "bin/testmaster will need TESTMASTER_URL and TESTMASTER_TOKEN: #{error.message.lines.first}"
    end
  end
end
