# All machines of a run start in one zone, so that they are equally far from one another: the first that has room for all of them.
module Provider::Ec2::Launching
  TO_PREPARE_AND_COLLECT = 45 * 60 # seconds

  def provision(machines, &progress)
    launch machines, &progress
    boot(machines, &progress).until_each :to_be_ready
    remove_key_pair mark(machines.first.test_run_id) unless key_name?
  end

  # Of a machine whose group names none
  def default_type(role)
    (database_instance_type if role == "database") || instance_type
  end

  private
    # All that can be known is looked at before the first instance costs money.
    def launch(machines, &progress)
      zones = zones_for(machines)
      machines.reject(&:reference?).map { |machine| type_of(machine) }.uniq.each { |type| image_for(type) }

      zones.each_with_index do |zone, index|
        return start(machines, zone, &progress)
      rescue Provider::Ec2::Error => error
        raise unless error.zonal?
        following = zones[index + 1] or raise nowhere(zones, error)
        leave_zone machines
        progress.call "#{zone.availability_zone} does not take the machines: #{error.message}. Trying #{following.availability_zone}."
      end
    end

    # The zone that a run cut off had begun with comes first.
    def zones_for(machines)
      begun = machines.filter_map { |machine| machine.facts["subnet"] }.first
      known_zones.partition { |zone| zone.subnet_id == begun }.flatten
    end

    def known_zones
      if subnet?
        found = ec2(:describe_subnets, subnet_ids: subnets).subnets.index_by(&:subnet_id)
        subnets.map { |id| found.fetch(id) { raise Provider::Ec2::Error.describe("InvalidSubnetIDNotFound", id) } }
      else
        ec2(:describe_subnets, filters: filters("default-for-az" => true, "state" => "available")).subnets.sort_by(&:availability_zone).presence or
          raise Provider::Ec2::Error.new("#{region} has no default network", advice: "Name a subnet in the settings of the provider, or make a default VPC in the AWS console.")
      end
    end

    def start(machines, zone, &progress)
      missing = machines.reject(&:reference?)
      if missing.any?
        access = { key_name: key_pair_for(machines.first.test_run), groups: [ security_group_for(machines.first.test_run, zone.vpc_id) ] }
        missing.each do |machine|
          machine.test_run.heed_cancellation
          request machine, zone, access, &progress
        end
      end
      boot(machines, &progress).until_each :to_run
    end

    def request(machine, zone, access, &progress)
      image = image_for(type_of(machine))
      reserve machine, zone
      adopt machine, ec2(:run_instances, **parameters_for(machine, zone, image, **access)).instances.first
      progress.call "#{machine.name} is #{machine.reference}: #{machine.instance_type} in #{zone.availability_zone} from #{image.name || image.image_id}", machine
    rescue Provider::Ec2::Error => error
      raise unless error.code == "IdempotentParameterMismatch" # asked for before the settings were changed
      adopt machine, instances(filters("client-token" => token(machine))).first || raise
    end

    # Written down before it is asked for, so that a machine is never forgotten, and asked for in the same words when asked again.
    def reserve(machine, zone)
      machine.update! state: "provisioning", instance_type: type_of(machine), hourly_price: hourly_price(type_of(machine)), facts: machine.facts.merge("subnet" => zone.subnet_id),
        provisioned_at: machine.provisioned_at || Time.current, expires_at: machine.expires_at || lifetime(machine.test_run).from_now.round
    end

    def adopt(machine, instance)
      machine.update! reference: instance.instance_id
    end

    def parameters_for(machine, zone, image, key_name:, groups:)
      { client_token: token(machine), min_count: 1, max_count: 1, image_id: image.image_id, instance_type: machine.instance_type, key_name: key_name,
        network_interfaces: [ { device_index: 0, subnet_id: zone.subnet_id, groups: groups, associate_public_ip_address: address == "public" } ],
        block_device_mappings: [ { device_name: image.root_device_name, ebs: { volume_size: disk_size, volume_type: "gp3", delete_on_termination: true } } ],
        instance_initiated_shutdown_behavior: "terminate", metadata_options: { http_tokens: "required" },
        user_data: [ Provider::Ec2::UserData.new(machine, user: ssh_user).to_s ].pack("m0"),
        tag_specifications: %w[ instance volume ].map { |kind| tagged_as_machine(kind, machine) },
        placement: ({ group_name: placement_group } if placement_group?), instance_market_options: (spot if market == "spot") }.compact
    end

    def spot
      { market_type: "spot", spot_options: { spot_instance_type: "one-time", instance_interruption_behavior: "terminate", max_price: maximum_price&.to_s("F") }.compact }
    end

    # One for each attempt at each machine: asked twice, EC2 starts one instance.
    def token(machine)
      "#{owner}-#{machine.id}-#{machine.facts.fetch("attempt", 0)}"
    end

    def type_of(machine)
      machine.instance_type.presence || default_type(machine.role)
    end

    # An instance ends itself when its run must be over. No run is launched for which this is longer than the provider allows.
    def lifetime(run)
      (boot_timeout + run.duration + run.timeout + TO_PREPARE_AND_COLLECT).seconds
    end

    def leave_zone(machines)
      terminate machines.filter_map(&:reference)
      machines.each { |machine| machine.update! reference: nil, host: nil, facts: machine.facts.except("subnet").merge("attempt" => machine.facts.fetch("attempt", 0) + 1) }
    end

    def nowhere(zones, error)
      return error if zones.one?
      Provider::Ec2::Error.new "None of #{zones.map(&:availability_zone).to_sentence} takes the machines: #{error.message}", code: error.code, advice: error.advice
    end

    def boot(machines, &progress)
      Provider::Ec2::Boots.new self, machines, &progress
    end
end
