# A stand-in for a machine: an sshd with a home folder. Its user data run as on a first boot, with paths below the
# folder of the instance and stand-ins for commands that would reach beyond it.
class Ec2Lookalike::Instance
  STAND_INS = {
    "getent"    => %(echo "$2:x:0:0::$ROOT/home:/bin/sh"),
    "apt-get"   => %(echo "$*" >>"$ROOT/apt-get"; for last; do :; done
      mkdir -p "$ROOT/installed"; touch "$ROOT/installed/$last"),
    "java"      => %([ -e "$ROOT/installed/openjdk-17-jre-headless" ] || exit 127; exec "$JAVA" "$@"),
    "shutdown"  => %(echo "$*" >"$ROOT/shutdown"),
    "systemctl" => %(echo "$*" >>"$ROOT/systemctl")
  }

  STARTING = Mutex.new

  attr_reader :reason, :id, :number, :parameters, :tags, :state, :launched_at, :address

  def initialize(id, number, parameters, tags, public_key, hosts)
    @id, @number, @parameters, @tags, @public_key, @hosts = id, number, parameters, tags, public_key, hosts
    @address, @state, @launched_at = "127.0.1.#{number}", "pending", Time.now.utc
  end

  def boot
    @thread = Thread.new do
      STARTING.synchronize { @hosts.start number }
      File.write File.join(folder, "authorized_keys"), @public_key
      @state = "running" if @state == "pending" # unless it was terminated meanwhile
      run_user_data
    rescue StandardError => error
      @state, @reason = "terminated", "#{error.class}: #{error.message}"
    end
  end

  def terminate
    if alive?
      @state = "shutting-down"
      booting = @thread
      @thread = Thread.new do
        booting&.join
        kill_processes
        @hosts.stop address
        FileUtils.rm_rf folder
        @state = "terminated"
      end
    end
    true
  end

  def join = @thread&.join
  def alive? = state.in?(%w[ pending running ])
  def token = parameters["ClientToken"]
  def group = parameters["NetworkInterface.1.SecurityGroupId.1"]
  def zone = "us-east-1#{parameters["NetworkInterface.1.SubnetId"].last}"
  def console = note("dev/console")

  # @return a file that a stand-in or the user data wrote below the folder of the instance
  def note(name)
    File.read(File.join(folder, name))
  rescue Errno::ENOENT
    ""
  end

  private
    def folder
      File.join(@hosts.directory, address)
    end

    def run_user_data
      %w[ dev etc/ssh var/log bin ].each { |path| FileUtils.mkdir_p File.join(folder, path) }
      FileUtils.cp File.join(folder, "host_key.pub"), File.join(folder, "etc/ssh/ssh_host_ed25519_key.pub")
      STAND_INS.each { |name, body| File.write File.join(folder, "bin", name), "#!/bin/sh\n#{body}\n", perm: 0755 }

      script = parameters.fetch("UserData").unpack1("m").gsub(%r{(?<![\w.])/(?=dev/console|etc/|var/)}) { "#{folder}/" }
      system({ "ROOT" => folder, "JAVA" => java, "PATH" => "#{folder}/bin:#{ENV["PATH"]}" }, "bash", "-c", script,
        out: File.join(folder, "user_data.log"), err: [ :child, :out ])
    end

    def java
      ENV["PATH"].split(":").map { |path| File.join(path, "java") }.find { |path| File.executable?(path) }
    end

    # Processes that were started by SSH work below the home folder.
    def kill_processes
      Dir["/proc/[0-9]*/cwd"].each do |link|
        Process.kill :KILL, link[/\d+/].to_i if File.readlink(link).start_with?("#{folder}/")
      rescue SystemCallError
        nil # It has ended by itself, or is not ours to look at.
      end
    end
end
