require "aws-sdk-ec2"

# EC2 by the SDK's own stubs: every zone has capacity unless a test says otherwise.
module Ec2Stubs
  IMAGE = { image_id: "ami-0debian", name: "debian-12-amd64-20261101-1", architecture: "x86_64",
    creation_date: "2026-11-01T00:00:00Z",
    root_device_name: "/dev/xvda", block_device_mappings: [ { device_name: "/dev/xvda", ebs: { volume_size: 8 } } ] }

  class Shell < Machine::Shell
    FOLDER = "/home/admin/testmaster/run\n"

    attr_accessor :answers

    def initialize(*answers)
      @answers = answers
    end

    private
      def run(command, output:, **)
        return Result.new(output: output << FOLDER, error: "", status: 0) if command.end_with?("pwd -P")

        answer = answers.many? ? answers.shift : answers.first
        raise answer if answer.is_a?(Exception)
        Result.new output: output << answer, error: "", status: 0
      end
  end

  def self.included(test)
    test.setup { Aws.config[:ec2] = { stub_responses: true } }
    test.teardown { Aws.config.delete :ec2 }
  end

  def ec2(**settings)
    Provider::Ec2.create!(name: "cloud", private_key: PRIVATE_KEY, ssh_from: "192.0.2.1/32", owner: "tester",
      **settings).tap do |provider|
      provider.poll_interval = 0.01
      play provider.client
    end
  end

  def run_on(provider, brokers: 1, clients: 1, **attributes)
    TestRun.create!(name: "On EC2", provider: provider, creator: users(:experimenter), state: "provisioning",
      duration: 60, database: "postgresql://mlmq@db.example.com/postgres", **attributes,
      broker_groups: [ Definition::BrokerGroup.new(scenario: "Broker", machine_count: brokers) ],
      client_groups: [ Definition::ClientGroup.new(scenario: "OneWayClient", machine_count: clients) ]).tap(&:lay_out)
  end

  # @return the machines of a run with a shell that needs no network
  def machines_of(run, *answers)
    run.machines.to_a.each do |machine|
      shell = Shell.new(*(answers.presence || [ "ready 17" ]))
      machine.define_singleton_method(:shell) { shell }
    end
  end

  def requests(provider, operation)
    provider.client.api_requests.select { |request| request[:operation_name] == operation }.map do |request|
      request[:params]
    end
  end

  def refusal(code, message = "#{code} it is.")
    Aws::EC2::Errors.error_class(code).new(nil, message)
  end

  # @return the started instances by id; tests change them as EC2 would
  def instances
    @instances ||= {}
  end

  def key_pairs
    @key_pairs ||= []
  end

  PRIVATE_KEY = OpenSSL::PKey::RSA.generate(2048).to_pem

  private
    def play(client)
      client.stub_responses :describe_instance_types,
        instance_types: [ { processor_info: { supported_architectures: [ "x86_64" ] } } ]
      client.stub_responses :describe_images, images: [ IMAGE ]
      client.stub_responses :describe_subnets,
        subnets: %w[ a b c ].map { |zone|
          {
            subnet_id: "subnet-#{zone}", availability_zone: "us-east-1#{zone}", vpc_id: "vpc-1",
            cidr_block: "172.31.0.0/20"
          }
        }
      client.stub_responses :import_key_pair, ->(context) { key_pairs << context.params[:key_name]; {} }
      client.stub_responses :describe_key_pairs,
        ->(context) { { key_pairs: key_pairs
          .intersection(Array(context.params[:filters]).flat_map { |filter| filter[:values] })
            .map { |name| { key_name: name } } } }
      client.stub_responses :delete_key_pair, ->(context) { key_pairs.delete(context.params[:key_name]) && {} }
      client.stub_responses :create_security_group, group_id: "sg-1"
      client.stub_responses :run_instances, ->(context) { { instances: [ start(context.params) ] } }
      client.stub_responses :describe_instances,
        ->(context) { { reservations: [ { instances: matching(context.params[:filters]) } ] } }
      client.stub_responses :terminate_instances, ->(context) { stop context.params[:instance_ids] }
      client.stub_responses :get_console_output,
        output: [ "-----BEGIN SSH HOST KEY KEYS-----\r\nssh-ed25519 AAAAhost root@ip\r\n-----END SSH HOST KEY " \
          "KEYS-----\r\n" ].pack("m")
    end

    def start(params)
      id = "i-#{instances.size + 1}"
      instances[id] = { instance_id: id, instance_type: params[:instance_type], client_token: params[:client_token],
        state: { name: "running" }, launch_time: Time.current,
        public_ip_address: "127.0.0.1", private_ip_address: "10.0.0.#{instances.size + 1}",
          placement: { availability_zone: "us-east-1a" }, tags: params[:tag_specifications].first[:tags] }
    end

    def stop(ids)
      ids.each { |id| instances.fetch(id)[:state] = { name: "shutting-down" } }
      { terminating_instances: ids.map { |id| { instance_id: id } } }
    end

    def matching(filters)
      instances.values.select do |instance|
        filters.all? do |filter|
          value = case filter[:name]
          when "instance-id"         then instance[:instance_id]
          when "client-token"        then instance[:client_token]
          when "instance-state-name" then instance[:state][:name]
          when /\Atag:/              then instance[:tags]
            .to_h { |tag| tag.values_at(:key, :value) }[filter[:name].delete_prefix("tag:")]
          else flunk "unexpected filter #{filter[:name]}"
          end
          value.in? filter[:values]
        end
      end
    end
end
