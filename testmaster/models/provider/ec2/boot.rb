# One instance on its way from requested to ready: it runs, then it can be reached and its host key is known, then all is installed.
class Provider::Ec2::Boot
  HOST_KEYS = /-----BEGIN SSH HOST KEY KEYS-----\s*(.*?)-----END SSH HOST KEY KEYS-----/m
  HOST_KEY = /\A(?:ssh|ecdsa|sk)-\S+ \S+/
  PATIENCE_FOR_HOST_KEY = 60 # seconds
  BETWEEN_ATTEMPTS = 5 # times the distance of two looks: ten seconds
  ADVICE = { "Server.SpotInstanceTermination" => "Launch again, raise the maximum price, or launch on demand.",
    "Client.InstanceInitiatedShutdown" => "It shut itself down, as it does when its time is up: raise the run's timeout or the provider's limit of hours." }

  def initialize(provider, machine, &progress)
    @provider, @machine, @progress = provider, machine, progress
  end

  # Each of both says whether the instance has got so far, and notes what it meets on the way.
  def to_run(instance)
    case instance&.state&.name
    when "running"      then @machine.host? || note_running(instance)
    when nil, "pending" then wait "it is pending"
    else raise ended(instance)
    end
  end

  def to_be_ready(instance)
    raise ended(instance) unless instance&.state&.name == "running"
    @machine.ready? || (look_for_host_key && look_for_marker && note_ready)
  end

  def overdue?
    age > @provider.boot_timeout
  end

  def too_late
    failure "is not ready after #{@provider.boot_timeout} s: #{@reason}",
      advice: [ *@advice, "Look at its console output in the AWS console; check that port #{@provider.ssh_port} is open from here; raise the boot timeout where it is only slow." ].join(" ")
  end

  def ended(instance)
    code = instance&.state_reason&.code.to_s
    cause = instance&.state_reason&.message.presence || instance&.state_transition_reason.presence || "EC2 does not know it any more"
    failure "has ended: #{cause}", code: code, advice: ADVICE.fetch(code) { "Look at the instance in the AWS console; try another instance type or zone." }
  end

  private
    def note_running(instance)
      host = @provider.address == "public" ? instance.public_ip_address : instance.private_ip_address
      raise failure("has no #{@provider.address} address", advice: "Choose private addresses, or a subnet whose network has an internet gateway.") if host.blank?

      @machine.update! host: host, facts: @machine.facts.merge("private_address" => instance.private_ip_address, "zone" => instance.placement.availability_zone)
      report "runs at #{host} after #{age} s"
    end

    # What an instance prints comes to us through EC2, so nobody can have put another machine in its place.
    def look_for_host_key
      return true if @machine.facts.key?("host_keys")

      if keys = printed_host_keys.presence
        note_host_keys keys, "shows its host key in the console output"
      elsif Time.current - (@looked_since ||= Time.current) > PATIENCE_FOR_HOST_KEY
        note_host_keys [], "shows no host key in the console output: the one of the first connection will be trusted"
      else
        wait "its console output does not show the host key yet"
      end
    end

    def printed_host_keys
      @provider.console_output(@machine)[HOST_KEYS, 1].to_s.lines.filter_map { |line| line.strip[HOST_KEY] }
    end

    def note_host_keys(keys, message)
      @machine.update! facts: @machine.facts.merge("host_keys" => keys)
      report message
    end

    # Connects as every command does. sshd holds it against an address that connects without authenticating, or with a key that it does
    # not know yet (PerSourcePenalties), so that is not tried every moment.
    def look_for_marker
      return false if @next_attempt && monotonic_now < @next_attempt

      state, details = @machine.shell.execute("cat #{Provider::Ec2::UserData::MARKER}", timeout: 20).output.to_s.strip.split(" ", 2)

      case state
      when "ready"  then true
      when "failed" then raise failure("failed #{details}", advice: "Give the subnet a way to Debian's package mirrors, or use an image that holds Java 17 and PostgreSQL.")
      else wait details || "its first boot has not begun to install anything"
      end
    rescue Machine::HostKeyChanged => error
      raise failure("shows another host key than the one in its console output: #{error.message}",
        advice: "Somebody else may be answering at #{@machine.host}: do not connect. If the image makes its host keys anew after the first boot, let it do so before it prints them, or use another image.")
    rescue Machine::Unreachable, Machine::Refused, Machine::CommandFailed => error
      @next_attempt = monotonic_now + BETWEEN_ATTEMPTS * @provider.poll_interval
      wait error.message, error.advice # The user's key, too, arrives only some way into the boot.
    end

    def note_ready
      @machine.update! state: "ready", directory: make_folder
      report "is ready after #{age} s"
    end

    def make_folder
      folder = "testmaster/run_#{@machine.test_run_id}"
      @machine.shell.execute!("mkdir -p #{folder} && cd #{folder} && pwd -P").output.chomp
    end

    def wait(reason, advice = nil)
      report reason if reason != @reason && reason.start_with?("installing")
      @reason, @advice = reason, advice
      false
    end

    def report(message)
      @progress&.call "#{@machine.name} #{message}", @machine
      true
    end

    def monotonic_now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end

    def age
      (Time.current - @machine.provisioned_at).round
    end

    def failure(message, **rest)
      Provider::Ec2::Error.new "#{@machine.name} (#{@machine.reference}) #{message}", machine: @machine, **rest
    end
end
