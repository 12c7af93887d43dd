# Tags identify the resources of this Testmaster: testmaster:owner is the Testmaster, testmaster:run the run,
# testmaster:expires-at the end of their life.
module Provider::Ec2::Tags
  OWNER, RUN, MACHINE, ROLE, EXPIRES_AT = %w[ owner run machine role expires-at ].map { |word| "testmaster:#{word}" }

  private
    # Returns the name of the key pair and the security group of a run.
    def mark(run_id)
      "#{owner}-run-#{run_id}"
    end

    def tagged(kind, run_id, tags = {})
      all = { OWNER => owner, RUN => run_id, "Name" => "test run #{run_id}" }.merge(tags)
      { resource_type: kind, tags: all.map { |key, value| { key: key, value: value.to_s } } }
    end

    def tagged_as_machine(kind, machine)
      tagged kind, machine.test_run_id, MACHINE => machine.id, ROLE => machine.role,
        EXPIRES_AT => machine.expires_at.utc.iso8601,
        "Name" => "test run #{machine.test_run_id} #{machine.name}"
    end

    def tags_of(resource)
      resource.tags.to_h { |tag| [ tag.key, tag.value ] }
    end

    def tags_of_machine(instance)
      tags = tags_of(instance)
      { run: tags[RUN], machine: tags[MACHINE], role: tags[ROLE], expires_at: tags[EXPIRES_AT], name: tags["Name"] }
    end

    def run_of(resource)
      tags_of(resource)[RUN].to_i
    end

    def ours
      filters "tag:#{OWNER}" => owner
    end

    def filters(pairs)
      pairs.map { |name, values| { name: name, values: Array(values).map(&:to_s) } }
    end
end
