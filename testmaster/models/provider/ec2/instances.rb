# Starts, describes and terminates instances. A place is a zone, and the mark consists of tags.
module Provider::Ec2::Instances
  ALIVE = %w[ pending running stopping stopped ]

  def servers_of(machines)
    described(filters("instance-id" => machines.map(&:reference))).index_by(&:reference)
  end

  # Only newer hardware provides the latest output; older hardware provides it some minutes late.
  def console_output(machine)
    [ { latest: true }, {} ].each do |options|
      printed = ec2(:get_console_output, instance_id: machine.reference, **options).output.to_s
      return printed.unpack1("m").force_encoding("UTF-8").scrub
    rescue Provider::Ec2::Error => error
      raise unless error.code.in? %w[ UnsupportedOperation InvalidParameterCombination InvalidInstanceIDNotFound ]
    end
    ""
  end

  private
    def look_up(types)
      types.each { |type| image_for(type) }
    end

    def places
      subnets = subnet? ? named_subnets : default_subnets
      subnets.map { |subnet| Provider::Rented::Place.new(subnet.subnet_id, subnet.availability_zone, subnet.vpc_id) }
    end

    def named_subnets
      found = ec2(:describe_subnets, subnet_ids: subnets).subnets.index_by(&:subnet_id)
      subnets.map { |id| found.fetch(id) { raise Provider::Ec2::Error.describe("InvalidSubnetIDNotFound", id) } }
    end

    def default_subnets
      found = ec2(:describe_subnets, filters: filters("default-for-az" => true, "state" => "available")).subnets
      found.sort_by(&:availability_zone).presence or raise failure("#{region} has no default network",
        advice: "Name a subnet in the settings of the provider, or make a default VPC in the AWS console.")
    end

    def order(machine, zone, access)
      image = image_for(machine.instance_type)
      answer = ec2(:run_instances, **parameters_for(machine, zone, image, **access))
      server answer.instances.first, image: image.name || image.image_id
    rescue Provider::Ec2::Error => error
      raise unless error.code == "IdempotentParameterMismatch" # requested before the settings were changed
      described(filters("client-token" => token(machine))).first || raise
    end

    def parameters_for(machine, zone, image, key_name:, groups:)
      network = { device_index: 0, subnet_id: zone.reference, groups: groups,
        associate_public_ip_address: address == "public" }
      disk = { volume_size: disk_size, volume_type: "gp3", delete_on_termination: true }

      { client_token: token(machine), min_count: 1, max_count: 1, image_id: image.image_id,
        instance_type: machine.instance_type, key_name: key_name, network_interfaces: [ network ],
        block_device_mappings: [ { device_name: image.root_device_name, ebs: disk } ],
        instance_initiated_shutdown_behavior: "terminate", metadata_options: { http_tokens: "required" },
        user_data: [ Provider::Rented::UserData.new(machine, user: ssh_user).to_s ].pack("m0"),
        tag_specifications: %w[ instance volume ].map { |kind| tagged_as_machine(kind, machine) },
        placement: ({ group_name: placement_group } if placement_group?),
        instance_market_options: (spot if market == "spot") }.compact
    end

    def spot
      options = { spot_instance_type: "one-time", instance_interruption_behavior: "terminate",
        max_price: maximum_price&.to_s("F") }
      { market_type: "spot", spot_options: options.compact }
    end

    def living_servers(machine = nil)
      described living + (machine ? filters("tag:#{Provider::Ec2::Tags::MACHINE}" => machine.id) : [])
    end

    # An instance that no longer exists counts as terminated and must not stop the others. A policy that is limited to
    # tagged instances reports it as unauthorized, not as unknown.
    def terminate(references)
      ec2 :terminate_instances, instance_ids: references if references.any?
    rescue Provider::Ec2::Error => error
      raise unless error.code.in? %w[ InvalidInstanceIDNotFound UnauthorizedOperation ]
      raise if references.one? && error.code == "UnauthorizedOperation" && alive?(references)
      references.each { |reference| terminate [ reference ] } if references.many?
    end

    def alive?(references)
      described(living + filters("instance-id" => references)).any?
    end

    def living
      ours + filters("instance-state-name" => ALIVE)
    end

    def described(filters)
      pages = ec2(:describe_instances, filters: filters)
      pages.flat_map { |page| page.reservations.flat_map(&:instances) }.map { |instance| server instance }
    end

    def server(instance, image: nil)
      state = instance.state&.name.presence_in(%w[ pending running ]) || "ended"
      reason = instance.state_reason
      Provider::Rented::Server.new reference: instance.instance_id, state: state, type: instance.instance_type,
        image: image || instance.image_id, zone: instance.placement&.availability_zone,
        public_address: instance.public_ip_address, private_address: instance.private_ip_address,
        started_at: instance.launch_time, tags: tags_of_machine(instance),
        end_code: reason&.code, end_cause: reason&.message.presence || instance.state_transition_reason
    end
end
