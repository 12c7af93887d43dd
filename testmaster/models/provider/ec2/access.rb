require "net/http"
require "net/ssh"

# Controls access: creates a key pair and a security group for each run, unless existing ones are named.
module Provider::Ec2::Access
  ALL = "-1"
  WHERE_AM_I = URI("https://checkip.amazonaws.com")

  private
    def grant_access(run_id, zone)
      { key_name: key_pair_for(run_id), groups: [ security_group_for(run_id, zone.network) ] }
    end

    # The instances keep the public key themselves.
    def withdraw_access(run_id)
      remove_key_pair mark(run_id) unless key_name?
    end

    # A group can be deleted only after its last instance.
    def sweep_access(kept)
      pairs = ec2(:describe_key_pairs, filters: ours).key_pairs
      groups = ec2(:describe_security_groups, filters: ours).security_groups
      run_ids = kept.call
      pairs.reject { |pair| run_of(pair).in?(run_ids) }.each { |pair| remove_key_pair pair.key_name }
      groups.reject { |group| run_of(group).in?(run_ids) }.each { |group| remove_security_group group.group_id }
    end

    def key_elsewhere?
      key_name?
    end

    # The key pair is needed only until the instances have started, as they keep the public key.
    def key_pair_for(run_id)
      key_name || mark(run_id).tap do |name|
        ec2 :import_key_pair, key_name: name, public_key_material: public_key,
          tag_specifications: [ tagged("key-pair", run_id) ]
      rescue Provider::Ec2::Error => error
        raise unless error.code == "InvalidKeyPairDuplicate"
      end
    end

    def public_key
      key = Net::SSH::KeyFactory.load_data_private_key(private_key, "", false, "the private key of #{name}")
      "#{key.public_key.ssh_type} #{[ key.public_key.to_blob ].pack("m0")}"
    end

    # The group permits SSH from this machine, and all traffic among the machines of the run, so brokers and database
    # need no rules of their own.
    def security_group_for(run_id, network)
      security_group || made_group(run_id, network).tap do |id|
        admit id, { ip_protocol: "tcp", from_port: ssh_port, to_port: ssh_port, **range(ssh_range(network)) }
        admit id, { ip_protocol: ALL, user_id_group_pairs: [ { group_id: id } ] }
      end
    end

    def made_group(run_id, network)
      ec2(:create_security_group, group_name: mark(run_id), description: "Test run #{run_id}, made by the Testmaster",
        vpc_id: network,
        tag_specifications: [ tagged("security-group", run_id) ]).group_id
    rescue Provider::Ec2::Error => error
      raise unless error.code == "InvalidGroupDuplicate"
      ec2(:describe_security_groups,
        filters: filters("group-name" => mark(run_id), "vpc-id" => network)).security_groups.first.group_id
    end

    def admit(group, permission)
      ec2 :authorize_security_group_ingress, group_id: group, ip_permissions: [ permission ]
    rescue Provider::Ec2::Error => error
      raise unless error.code == "InvalidPermissionDuplicate"
    end

    def range(cidr)
      cidr.include?(":") ? { ipv_6_ranges: [ { cidr_ipv_6: cidr } ] } : { ip_ranges: [ { cidr_ip: cidr } ] }
    end

    def ssh_range(network)
      return ssh_from unless ssh_from == "here"

      here = IPAddr.new(address == "public" ? public_address : private_address(network))
      "#{here}/#{here.ipv4? ? 32 : 128}"
    end

    # Returns the address from which instances see this machine.
    def public_address
      answer = Net::HTTP.start(WHERE_AM_I.host, WHERE_AM_I.port, use_ssl: true, open_timeout: 5,
        read_timeout: 5) { |http| http.get("/").body.to_s.strip }
      answer.tap { IPAddr.new(answer) }
    rescue SystemCallError, SocketError, Timeout::Error, OpenSSL::SSL::SSLError, IPAddr::Error => error
      raise Provider::Ec2::Error.new("This machine's public address cannot be found out: #{error.message}",
        advice: "Set 'ssh from' of the provider to a range that holds it, such as 203.0.113.0/24.")
    end

    # Connecting a datagram socket sends nothing; it selects the local address for that route.
    def private_address(network)
      inside = ec2(:describe_subnets, filters: filters("vpc-id" => network)).subnets.first.cidr_block.split("/").first
      UDPSocket.open { |socket| socket.connect(inside, 9) && socket.addr.last }
    end

    # The key pair is looked up first: a policy that is limited to tagged key pairs forbids to delete an unknown one.
    def remove_key_pair(name)
      ec2(:describe_key_pairs, filters: filters("key-name" => name)).key_pairs.each do |pair|
        ec2 :delete_key_pair, key_name: pair.key_name
      end
    end

    # Returns false while instances still use it.
    def remove_security_group(id)
      ec2 :delete_security_group, group_id: id
      true
    rescue Provider::Ec2::Error => error
      raise unless error.code.in? %w[ DependencyViolation InvalidGroupInUse InvalidGroupNotFound ]
      error.code == "InvalidGroupNotFound"
    end
end
