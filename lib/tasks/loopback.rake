namespace :testmaster do
  desc "Start sshd on 127.0.1.1 to .3 and make them a provider named loopback"
  task loopback_provider: :environment do
    require "loopback_hosts"

    loopback = LoopbackHosts.new(ENV.fetch("LOOPBACK_HOSTS", Rails.root.join("tmp/loopback_hosts")))
    Provider::Ssh.find_or_initialize_by(name: "loopback").update! \
      hosts: loopback.start.join("\n"), private_key: File.read(loopback.client_key_path), unknown_hosts: "learn"
  end
end
