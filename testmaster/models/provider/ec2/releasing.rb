# Giving back. The truth about what lives is EC2's, found by tags; our own tables may have been lost or restored since.
module Provider::Ec2::Releasing
  ALIVE = %w[ pending running stopping stopped ]

  def release(machine)
    part_with machine
    remove_key_pair mark(machine.test_run_id) if machine.test_run && machine.test_run.machines.held.where.not(id: machine.id).none?
  end

  def give_back(machines)
    client # made before it is used side by side
    super.tap { machines.filter_map(&:test_run).uniq.each { |run| remove_key_pair_after run } }
  end

  # What lives and carries our mark, as machines; one that our tables have lost is a new record.
  def live_machines
    instances(living).map { |instance| known_machine(instance) || forgotten_machine(instance) }
  end

  def leftovers
    at_work = TestRun.at_work.where(provider: self).ids
    live_machines.select { |machine| machine.released? || !at_work.include?(machine.test_run_id || machine.facts["run"]) || machine.expires_at&.past? }
  end

  # Beyond machines: key pairs and security groups of runs that are over. A group goes once its last instance has gone.
  def sweep(found = leftovers)
    super
    at_work = TestRun.at_work.where(provider: self).ids
    ec2(:describe_key_pairs, filters: ours).key_pairs.reject { |pair| run_of(pair).in?(at_work) }.each { |pair| remove_key_pair pair.key_name }
    ec2(:describe_security_groups, filters: ours).security_groups.reject { |group| run_of(group).in?(at_work) }.each { |group| remove_security_group group.group_id }
  end

  def instances_of(machines)
    instances(filters("instance-id" => machines.map(&:reference))).index_by(&:instance_id)
  end

  # A machine that does not answer may have ended: taken back by spot, by its own timer, by a person.
  def explain(failure)
    machine = failure.machine
    return failure unless failure.is_a?(Machine::Unreachable) && machine&.reference?

    instance = instances_of([ machine ])[machine.reference]
    instance&.state&.name == "running" ? failure : Provider::Ec2::Boot.new(self, machine).ended(instance)
  rescue Provider::Error
    failure # EC2 cannot tell us more just now.
  end

  # Only newer hardware shows the output of this moment; the older shows it some minutes late.
  def console_output(machine)
    [ { latest: true }, {} ].each do |options|
      return ec2(:get_console_output, instance_id: machine.reference, **options).output.to_s.unpack1("m").force_encoding("UTF-8").scrub
    rescue Provider::Ec2::Error => error
      raise unless error.code.in? %w[ UnsupportedOperation InvalidParameterCombination InvalidInstanceIDNotFound ]
    end
    ""
  end

  private
    def part_with(machine)
      terminate machine.reference? ? [ machine.reference ] : instances(living + filters("tag:#{Provider::Ec2::Tags::MACHINE}" => machine.id)).map(&:instance_id)
    end

    # What is not removed now, the sweep removes.
    def remove_key_pair_after(run)
      remove_key_pair mark(run.id) if run.machines.held.none?
    rescue Provider::Ec2::Error => error
      Rails.logger.warn "The key pair of run #{run.id} is left for the sweep: #{error.message}"
    end

    def instances(filters)
      ec2(:describe_instances, filters: filters).flat_map { |page| page.reservations.flat_map(&:instances) }
    end

    def living
      ours + filters("instance-state-name" => ALIVE)
    end

    # One that has gone already is as good as terminated, and must not keep the others from it. A policy that is limited to tagged
    # instances calls such a one unauthorized, not unknown.
    def terminate(references)
      ec2 :terminate_instances, instance_ids: references if references.any?
    rescue Provider::Ec2::Error => error
      raise unless error.code.in? %w[ InvalidInstanceIDNotFound UnauthorizedOperation ]
      raise if references.one? && error.code == "UnauthorizedOperation" && instances(living + filters("instance-id" => references)).any?
      references.each { |reference| terminate [ reference ] } if references.many?
    end

    # One whose id was never written down is known by its tag.
    def known_machine(instance)
      machines.find_by(reference: instance.instance_id) || machines.find_by(id: tags_of(instance)[Provider::Ec2::Tags::MACHINE], reference: nil)
    end

    # It is nobody's machine, also where a run at work is said to have asked for it: none of the logs are on it.
    def forgotten_machine(instance)
      tags = tags_of(instance)
      Machine.new provider: self, name: tags["Name"] || instance.instance_id, role: tags[Provider::Ec2::Tags::ROLE].presence_in(Machine::ROLES) || "all", state: "lost",
        facts: { "run" => tags[Provider::Ec2::Tags::RUN].to_i }, reference: instance.instance_id, instance_type: instance.instance_type,
        hourly_price: hourly_price(instance.instance_type), host: instance.public_ip_address || instance.private_ip_address,
        provisioned_at: instance.launch_time, expires_at: tags[Provider::Ec2::Tags::EXPIRES_AT]
    end
end
