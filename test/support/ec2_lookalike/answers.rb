# Each action of EC2 is a method. It takes the parameters of the request and returns the content of the XML response as
# hashes and arrays.
module Ec2Lookalike::Answers
  IMAGE = { "imageId" => "ami-0debian", "name" => "debian-12-amd64-20261101-1", "architecture" => "x86_64",
    "creationDate" => "2026-11-01T00:00:00.000Z", "imageState" => "available",
    "rootDeviceName" => "/dev/xvda",
      "blockDeviceMapping" => [ { "deviceName" => "/dev/xvda", "ebs" => { "volumeSize" => 8 } } ] }
  ZONES = %w[ a b ]

  def describe_subnets(parameters)
    asked = list(parameters, "SubnetId")
    subnets = ZONES.map do |zone|
      {
        "subnetId" => "subnet-#{zone}", "availabilityZone" => "us-east-1#{zone}", "vpcId" => "vpc-1",
        "cidrBlock" => "127.0.1.0/24", "state" => "available"
      }
    end
    { "subnetSet" => asked.empty? ? subnets : subnets.select { |subnet| subnet["subnetId"].in?(asked) } }
  end

  def describe_images(parameters)
    patterns = filters(parameters)["name"] || []
    refuse_with "InvalidAMIID.NotFound" if list(parameters, "ImageId").without(IMAGE["imageId"]).any?
    {
      "imagesSet" => patterns.empty? ||
      patterns.any? { |pattern| File.fnmatch(pattern, IMAGE["name"]) } ? [ IMAGE ] : []
    }
  end

  def describe_instance_types(parameters)
    {
      "instanceTypeSet" => list(parameters, "InstanceType").map do |type|
        { "instanceType" => type, "processorInfo" => { "supportedArchitectures" => [ "x86_64" ] } }
      end
    }
  end

  def import_key_pair(parameters)
    name = parameters.fetch("KeyName")
    refuse_with "InvalidKeyPair.Duplicate" if key_pairs.key?(name)
    key_pairs[name] = {
      name: name, public_key: parameters.fetch("PublicKeyMaterial").unpack1("m"), tags: tags(parameters)
    }
    { "keyName" => name }
  end

  def delete_key_pair(parameters)
    key_pairs.delete parameters.fetch("KeyName")
    { "return" => true }
  end

  def describe_key_pairs(parameters)
    {
      "keySet" => matching(key_pairs,
        parameters) { |pair| pair[:tags].merge("key-name" => pair[:name]) }.map do |name, pair|
          { "keyName" => name, "tagSet" => tag_set(pair[:tags]) }
        end
    }
  end

  def create_security_group(parameters)
    refuse_with "InvalidGroup.Duplicate" if security_groups.each_value.any? do |group|
      group[:name] == parameters["GroupName"]
    end
    id = "sg-#{security_groups.size + 1}"
    security_groups[id] = { name: parameters.fetch("GroupName"), rules: [], tags: tags(parameters) }
    { "groupId" => id }
  end

  def authorize_security_group_ingress(parameters)
    rule = parameters.slice("IpPermissions.1.IpProtocol", "IpPermissions.1.FromPort", "IpPermissions.1.ToPort",
      "IpPermissions.1.IpRanges.1.CidrIp", "IpPermissions.1.Groups.1.GroupId").values
    rules = security_groups.fetch(parameters.fetch("GroupId"))[:rules]
    refuse_with "InvalidPermission.Duplicate" if rules.include?(rule)
    rules << rule
    { "return" => true }
  end

  def describe_security_groups(parameters)
    groups = matching(security_groups, parameters) { |group| group[:tags].merge("group-name" => group[:name]) }
    {
      "securityGroupInfo" => groups.map do |id, group|
        { "groupId" => id, "groupName" => group[:name], "tagSet" => tag_set(group[:tags]) }
      end
    }
  end

  def delete_security_group(parameters)
    id = parameters.fetch("GroupId")
    refuse_with "DependencyViolation" if instances.each_value.any? do |instance|
      instance.group == id && instance.state != "terminated"
    end
    security_groups.delete id
    { "return" => true }
  end

  def run_instances(parameters)
    known = instances.values.find { |instance| instance.token == parameters.fetch("ClientToken") }
    refuse_with "IdempotentParameterMismatch" if known && known.parameters != parameters
    { "instancesSet" => [ description(known || boot(parameters)) ] }
  end

  def describe_instances(parameters)
    found = matching(instances, parameters) do |instance|
      instance.tags.merge("instance-id" => instance.id, "client-token" => instance.token,
        "instance-state-name" => instance.state)
    end
    { "reservationSet" => found.values.map { |instance| { "instancesSet" => [ description(instance) ] } } }
  end

  def terminate_instances(parameters)
    ids = list(parameters, "InstanceId")
    ids.each { |id| refuse_with "InvalidInstanceID.NotFound" unless instances.key?(id) }
    {
      "instancesSet" => ids.map do |id|
        instances[id].terminate && { "instanceId" => id, "currentState" => { "name" => instances[id].state } }
      end
    }
  end

  def get_console_output(parameters)
    {
      "instanceId" => parameters.fetch("InstanceId"),
      "output" => [ instances.fetch(parameters.fetch("InstanceId")).console ].pack("m0")
    }
  end

  private
    def refuse_with(code)
      raise Ec2Lookalike::Refusal, code
    end

    def boot(parameters)
      key = key_pairs.fetch(parameters["KeyName"]) { refuse_with "InvalidKeyPair.NotFound" }
      group = parameters.fetch("NetworkInterface.1.SecurityGroupId.1")
      refuse_with "InvalidGroup.NotFound" unless security_groups.key?(group)
      refuse_with "InvalidAMIID.NotFound" unless parameters["ImageId"] == IMAGE["imageId"]

      number = (1..200).find do |candidate|
        instances.each_value.none? { |instance| instance.number == candidate && instance.state != "terminated" }
      end
      Ec2Lookalike::Instance.new("i-%017x" % (instances.size + 1), number, parameters, tags(parameters),
        key[:public_key], hosts).tap do |instance|
        instances[instance.id] = instance
        instance.boot
      end
    end

    def description(instance)
      address = instance.alive? ? { "ipAddress" => instance.address, "privateIpAddress" => instance.address } : {}
      { "instanceId" => instance.id, "instanceType" => instance.parameters["InstanceType"],
        "instanceState" => { "name" => instance.state },
        "stateReason" => { "code" => "Server.InternalError", "message" => instance.reason },
          "clientToken" => instance.token,
        "placement" => { "availabilityZone" => instance.zone }, "launchTime" => instance.launched_at.iso8601,
          "tagSet" => tag_set(instance.tags), **address }
    end

    # @return the values of Name.1, Name.2, …
    def list(parameters, name)
      parameters.select { |key, _| key.match?(/\A#{Regexp.escape(name)}\.\d+\z/) }.values
    end

    def filters(parameters)
      parameters.keys.grep(/\AFilter\.\d+\.Name\z/).to_h do |key|
        [ parameters[key].delete_prefix("tag:"), list(parameters, key.sub(/Name\z/, "Value")) ]
      end
    end

    def matching(resources, parameters)
      resources.select do |_, resource|
        filters(parameters).except("vpc-id").all? { |name, values| yield(resource)[name].in?(values) }
      end
    end

    def tags(parameters)
      parameters.keys.grep(/\ATagSpecification\.1\.Tag\.\d+\.Key\z/).to_h do |key|
        [ parameters[key], parameters[key.sub(/Key\z/, "Value")] ]
      end
    end

    def tag_set(tags)
      tags.map { |key, value| { "key" => key, "value" => value } }
    end
end
