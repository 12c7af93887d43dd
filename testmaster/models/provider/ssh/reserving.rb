# Assigns hosts to runs. The machines of runs record the assignment; one reservation is made at a time.
module Provider::Ssh::Reserving
  def room_for?(test_run)
    waiting = test_runs.under_way.where.not(id: test_run.id).flat_map { |other| roles_without_host(other) }
    !assign(waiting + roles_without_host(test_run), free_hosts).nil?
  end

  def objections_to(test_run)
    roles = test_run.definition.planned_machines.map(&:first)
    [ *(too_few(roles, host_list) unless assign(roles, host_list)),
      *(cut_off_from_database if test_run.database == "embedded") ]
  end

  private
    def reserve(machines, &progress)
      transaction do
        Provider::Ssh.order(:id).lock("FOR NO KEY UPDATE").load # whichever list a host stands in
        hosts = assign(machines.map(&:role),
          free_hosts) or raise Provider::Error.new(too_few(machines.map(&:role), free_hosts),
            advice: "Other runs have taken hosts meanwhile: launch again when they have ended, or add hosts to the " \
              "provider.")
        machines.zip(hosts) do |machine, host|
          machine.update! state: "provisioning", host: host.name, reference: host.to_s, provisioned_at: Time.current
        end
      end
      machines.each { |machine| progress&.call "#{machine.name} is #{machine.reference}", machine }
    end

    def free_hosts
      taken = Machine.held.where(provider: Provider::Ssh.all)
        .where.not(reference: nil).pluck(:reference).map { |reference| Provider::Ssh::Host.parse(reference).address }
      host_list.reject { |host| host.address.in? taken }
    end

    def roles_without_host(run)
      if (laid_out = run.machines.to_a).any?
        laid_out.reject(&:reference?).reject(&:released?).map(&:role)
      else
        run.definition.planned_machines.map(&:first)
      end
    end

    # Returns a host for each role, in their order; nil if there is no assignment. A later role may move others to
    # another host (Kuhn's matching).
    def assign(roles, hosts)
      chosen = {} # host => position of the role

      hosts = hosts.sort_by { |host| host.serves?("any") ? 1 : 0 }
      chosen.invert.values_at(*roles.each_index) if roles.each_index.all? do |position|
        place(position, roles, hosts, chosen, Set.new)
      end
    end

    def place(position, roles, hosts, chosen, tried)
      hosts.any? do |host|
        if host.serves?(roles[position]) && tried.add?(host)
          chosen[host] = position if !chosen.key?(host) || place(chosen[host], roles, hosts, chosen, tried)
        end
      end
    end

    # The Testmaster's own server usually listens only on this machine.
    def cut_off_from_database
      server = DatabaseServer::Embedded
      hosts = host_list.select { |host| host.serves?("broker") && host.elsewhere? }.map(&:name) if server.here_only?

      if hosts.present?
        "#{hosts.to_sentence} cannot reach the embedded database, which listens on this machine alone " \
          "(#{server.host}): give the database a machine of its own, or the address of one that the brokers reach"
      end
    end

    def too_few(roles, hosts)
      wanted = roles.tally.map { |role, count| "#{count} for #{role}s".sub("databases", "the database") }.to_sentence
      free = hosts.map { |host| "#{host.name} (#{host.roles.to_sentence})" }.to_sentence
      free = "none" if free.empty?
      "The run needs #{roles.size} #{"host".pluralize(roles.size)} (#{wanted}). Too few are free " \
        "(#{free}): one host serves one machine of one run"
    end
end
