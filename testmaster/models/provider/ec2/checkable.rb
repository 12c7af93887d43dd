# Checks whether a launch would succeed, without starting anything.
module Provider::Ec2::Checkable
  NO_INSTANCE = "i-00000000000000000"
  CHECKS = { "credentials and network" => :check_network, "image" => :check_image, "names" => :check_names,
    "address that may use SSH" => :check_address,
    "price" => :check_price,
    "permission to start instances" => :check_start, "permissions to make keys and groups" => :check_access_rights }

  # Returns findings in the order in which a launch would meet them; the first failure ends the list.
  def check
    findings = []
    CHECKS.each do |subject, check|
      findings << found(subject, "ok", send(check))
    rescue Provider::Error => error
      findings << found(subject, "failed", error.message, error.advice)
      break
    end
    findings.all?(&:ok?) ? findings << check_termination : findings
  end

  private
    def found(subject, state, message, advice = nil)
      Provider::Finding.new subject: subject, state: state, message: message, advice: advice
    end

    def check_network
      zones = places
      "#{"zone".pluralize(zones.size)} #{zones.map(&:name).to_sentence}"
    end

    def check_image
      types.map { |type| image_for(type) }
        .uniq(&:image_id).map { |image| "#{image.name} (#{image.image_id})" }.to_sentence
    end

    def check_names
      ec2 :describe_key_pairs, key_names: [ key_name ] if key_name?
      ec2 :describe_security_groups, group_ids: [ security_group ] if security_group?
      ec2 :describe_placement_groups, group_names: [ placement_group ] if placement_group?
      [ key_name, security_group, placement_group ].compact.to_sentence.presence&.then { |names| "#{names} found" } ||
        "none to look up"
    end

    def check_address
      security_group? ? "as the security group has it" : ssh_range(places.first.network)
    end

    def check_price
      types.map do |type|
        price = hourly_price(type) or raise Provider::Error.new("There is no price of #{type}",
          advice: "So that limits can be kept, #{where_to_add_prices}.")
        "#{type}: #{price.to_s("F")} USD an hour"
      end.to_sentence
    end

    def check_start
      trial = Machine.new(id: 0, test_run_id: 0, name: "check", role: "broker", instance_type: instance_type,
        expires_at: 1.hour.from_now)
      parameters = parameters_for(trial, places.first, image_for(instance_type), key_name: key_name,
        groups: [ security_group ].compact)
      allowed :run_instances, **parameters.compact
    end

    def check_access_rights
      allowed :import_key_pair, key_name: mark(0), public_key_material: public_key unless key_name?
      unless security_group?
        allowed :create_security_group, group_name: mark(0), description: "check", vpc_id: places.first.network
      end
      "given, or not needed"
    end

    # A policy that is limited to tagged instances cannot be tested without such an instance.
    def check_termination
      found "permission to terminate instances", "ok", allowed(:terminate_instances, instance_ids: [ NO_INSTANCE ])
    rescue Provider::Ec2::Error => error
      found "permission to terminate instances", "warning", error.message,
        "Expected where the policy allows it for tagged instances only, as that of docs/reference/ec2.md does. " \
          "Otherwise grant the permission: without it nothing can be released."
    end

    # A dry run ends with one of two errors: it would have succeeded, or the permission is missing.
    def allowed(operation, **parameters)
      ec2 operation, **parameters, dry_run: true
      "given"
    rescue Provider::Ec2::Error => error
      raise unless error.code.in? %w[ DryRunOperation InvalidInstanceIDNotFound ]
      "given"
    end

    def types
      [ instance_type, default_type("database") ].uniq
    end
end
