# Follows one machine from ordered to ready: it is running, then it is reachable and its host key is known, then all is
# installed.
class Provider::Rented::Boot
  HOST_KEYS = /-----BEGIN SSH HOST KEY KEYS-----\s*(.*?)-----END SSH HOST KEY KEYS-----/m
  HOST_KEY = /\A(?:ssh|ecdsa|sk)-\S+ \S+/
  PATIENCE_FOR_HOST_KEY = 60 # seconds
  LOOKS_PER_ATTEMPT = 5 # observations between attempts to connect, once one has failed: about ten seconds

  def initialize(provider, machine, &progress)
    @provider, @machine, @progress = provider, machine, progress
    @looks_to_skip = 0
  end

  def running?
    @machine.host?
  end

  def ready?
    @machine.ready?
  end

  # Stores the address of the machine once it is running.
  def follow(server)
    if server.nil? || server.pending?
      wait "it is pending"
    elsif server.running?
      note_running server unless running?
    else
      raise ended(server)
    end
  end

  # Performs the next steps from running to ready, as far as they are possible now.
  def prepare(server)
    raise ended(server) unless server&.running?

    unless ready?
      look_for_host_key unless host_key_settled?
      look_for_marker if host_key_settled?
      note_ready if @installed
    end
  end

  def overdue?
    age > @provider.boot_timeout
  end

  def too_late
    failure "is not ready after #{@provider.boot_timeout} s: #{@reason}",
      advice: [ *@advice, "Look at its console output in #{@provider.console}; " \
        "check that port #{@provider.ssh_port} is open from here; " \
        "raise the boot timeout where it is only slow." ].join(" ")
  end

  def ended(server)
    cause = server&.end_cause.presence || "#{@provider.title} does not know it any more"
    code = server&.end_code.to_s
    failure "has ended: #{cause}", code: code, advice: @provider.advice_about_end(code)
  end

  private
    def note_running(server)
      host = @provider.address == "public" ? server.public_address : server.private_address
      raise without_address if host.blank?

      @machine.update! host: host, private_address: server.private_address, zone: server.zone
      report "runs at #{host} after #{age} s"
    end

    def without_address
      failure "has no #{@provider.address} address",
        advice: "Choose private addresses, or a subnet whose network has an internet gateway."
    end

    def host_key_settled?
      !@machine.host_keys.nil?
    end

    # The console output comes through the cloud, so no other machine can have forged it.
    def look_for_host_key
      if !@provider.prints_host_key
        note_host_keys [], "shows no host key: the one of the first connection will be trusted"
      elsif keys = printed_host_keys.presence
        note_host_keys keys, "shows its host key in the console output"
      elsif Time.current - (@looked_since ||= Time.current) > PATIENCE_FOR_HOST_KEY
        note_host_keys [], "shows no host key in the console output: the one of the first connection will be trusted"
      else
        wait "its console output does not show the host key yet"
      end
    end

    def printed_host_keys
      keys = @provider.console_output(@machine)[HOST_KEYS, 1].to_s.lines.filter_map { |line| line.strip[HOST_KEY] }
      keys.select { |key| key.bytesize <= Machine::Limits::HOST_KEY }.first(Machine::Limits::HOST_KEYS)
    end

    def note_host_keys(keys, message)
      @machine.update! host_keys: keys
      report message
    end

    # The marker exists once all is installed. This connects like every command. sshd penalizes an address that connects
    # without authenticating or with a key that it does not know yet (PerSourcePenalties), so attempts are rare.
    def look_for_marker
      return @looks_to_skip -= 1 if @looks_to_skip.positive?

      said = @machine.shell.execute("cat #{Provider::Rented::UserData::MARKER}", timeout: 20)
        .text(Machine::Limits::FACT)
      state, details = said.strip.split(" ", 2)
      raise not_installed(details) if state == "failed"

      @installed = state == "ready"
      wait details || "its first boot has not begun to install anything" unless @installed
    rescue Machine::HostKeyChanged => error
      raise failure("shows another host key than the one in its console output: #{error.message}",
        advice: "Another machine may use the address #{@machine.host}: do not connect. " \
          "If the image makes new host keys after the first boot, let it do so before it prints them, or use " \
            "another image.")
    rescue Machine::Unreachable, Machine::Refused, Machine::CommandFailed => error
      @looks_to_skip = LOOKS_PER_ATTEMPT - 1
      wait error.message, error.advice # the user's key, too, is installed some time after the start of the boot
    end

    def not_installed(details)
      failure "failed #{details}",
        advice: "Give the subnet a way to Debian's package mirrors, or use an image that holds Java 17 and PostgreSQL."
    end

    def note_ready
      @machine.update! state: "ready", directory: make_folder
      report "is ready after #{age} s"
    end

    def make_folder
      folder = "testmaster/run_#{@machine.test_run_id}"
      @machine.folder_told @machine.shell.execute!("#{take_over_folder folder}mkdir -p #{folder} && " \
        "cd #{folder} && pwd -P").output
    end

    # Moves the jars of the run before.
    def take_over_folder(folder)
      if left = @machine.folder
        "[ ! -d #{left.shellescape} ] || mv -T #{left.shellescape} #{folder}; "
      end
    end

    def wait(reason, advice = nil)
      report reason if reason != @reason && reason.start_with?("installing")
      @reason, @advice = reason, advice
    end

    def report(message)
      @progress&.call "#{@machine.name} #{message}", @machine
    end

    def age
      (Time.current - @machine.provisioned_at).round
    end

    def failure(message, **rest)
      @provider.failure "#{@machine.name} (#{@machine.reference}) #{message}", machine: @machine, **rest
    end
end
