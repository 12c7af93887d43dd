require "puma"
require "puma/server"
require "rack"
require_relative "../../lib/loopback_hosts"

class Ec2Lookalike
  require_relative "ec2_lookalike/instance"
  require_relative "ec2_lookalike/answers"
end

# The part of EC2's Query API that the Testmaster uses, on loopback. RunInstances starts an instance, a real sshd on
# 127.0.1.x that runs its user data with harmless stand-ins for apt-get, shutdown and others. TerminateInstances stops
# it with every process that was started on it.
class Ec2Lookalike
  include Answers

  ACCESS_KEY_ID = "AKIALOOKALIKE"

  class Refusal < StandardError
    attr_reader :code

    def initialize(code, message = "The look-alike says #{code}")
      super message
      @code = code
    end
  end

  attr_reader :instances, :key_pairs, :security_groups, :requests, :hosts, :ssh_port

  def initialize(directory)
    @hosts = LoopbackHosts.new(directory)
    @instances, @key_pairs, @security_groups, @requests, @refusals = {}, {}, {}, [], []
    @monitor = Monitor.new
  end

  def start
    @ssh_port = hosts.start(1).first.port
    hosts.stop
    @server = Puma::Server.new(method(:call), nil, log_writer: Puma::LogWriter.null, min_threads: 0, max_threads: 4)
    @port = @server.add_tcp_listener("127.0.0.1", 0).addr[1]
    @server.run
    self
  end

  def stop
    @server&.stop true
    instances.each_value(&:terminate)
    instances.each_value(&:join)
    hosts.remove
  end

  # @return the settings of a provider for this cloud
  def settings
    {
      endpoint: "http://127.0.0.1:#{@port}", access_key_id: ACCESS_KEY_ID, secret_access_key: "of the look-alike",
      ssh_port: ssh_port, ssh_user: hosts_user, ssh_from: "127.0.0.1/32", boot_timeout: 30
    }
  end

  def living
    instances.values.select(&:alive?)
  end

  # Refuses the next requests for an action, or only those for a zone.
  def refuse(action, code, times: 1, zone: nil)
    @refusals << { action: action, code: code, times: times, zone: zone }
  end

  def call(env)
    parameters = Rack::Utils.parse_query(env["rack.input"].read)
    action = parameters.fetch("Action")
    body = @monitor.synchronize do
      requests << parameters
      authenticate env
      apply_refusals action, parameters
      if parameters["DryRun"] == "true"
        raise Refusal.new("DryRunOperation", "Request would have succeeded, but DryRun flag is set.")
      end
      public_send action.underscore, parameters
    end
    answer 200, "<#{action}Response>#{xml body}</#{action}Response>"
  rescue Refusal => refusal
    error = { "Code" => refusal.code, "Message" => refusal.message }
    answer refusal.code == "RequestLimitExceeded" ? 503 : 400,
      "<Response>#{xml "Errors" => { "Error" => error }, "RequestID" => "0"}</Response>"
  end

  private
    def hosts_user
      Etc.getpwuid.name
    end

    def authenticate(env)
      unless env["HTTP_AUTHORIZATION"].to_s.include?("Credential=#{ACCESS_KEY_ID}/")
        raise Refusal.new("AuthFailure", "AWS was not able to validate the provided access credentials")
      end
    end

    def apply_refusals(action, parameters)
      told = @refusals.find { |refusal| refusal[:action] == action && refusal[:times].positive? &&
        (refusal[:zone].nil? || parameters.value?("subnet-#{refusal[:zone]}")) } or return
      told[:times] -= 1
      raise Refusal, told[:code]
    end

    def answer(status, xml)
      [ status, { "content-type" => "text/xml" }, [ %(<?xml version="1.0" encoding="UTF-8"?>) + xml ] ]
    end

    def xml(value)
      case value
      when Hash  then value.map { |name, inner| "<#{name}>#{xml inner}</#{name}>" }.join
      when Array then value.map { |inner| "<item>#{xml inner}</item>" }.join
      else Rack::Utils.escape_html(value.to_s)
      end
    end
end
