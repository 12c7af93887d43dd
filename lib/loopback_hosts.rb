require "etc"
require "fileutils"
require "open3"
require "socket"

# Real sshd processes that stand for machines: on 127.0.1.1, 127.0.1.2, …, each with a home folder, a host key and a
# log. bin/demo --provider ssh and the tests use them; nothing here listens beyond loopback.
class LoopbackHosts
  Host = Struct.new(:address, :port, :user, :home, :host_key, keyword_init: true) do
    def to_s = "#{user}@#{address}:#{port}"
  end

  class Error < StandardError; end

  attr_reader :directory

  def initialize(directory)
    @directory = File.expand_path(directory)
  end

  # Starts sshd on the requested number of addresses, and returns when each responds.
  def start(count = 3)
    prepare
    addresses = (1..count).map { |number| "127.0.1.#{number}" }
    addresses.each { |address| start_sshd(address) unless alive?(address) }
    addresses.each { |address| await(address) }
    hosts
  end

  def hosts
    Dir[File.join(directory, "127.*")].sort.map do |home|
      address = File.basename(home)
      Host.new(address:, port:, user: Etc.getpwuid.name, home: File.join(home, "home"),
        host_key: File.read(File.join(home, "host_key.pub")).strip)
    end
  end

  def [](address)
    hosts.find { |host| host.address == address }
  end

  def client_key_path
    File.join(directory, "client_key")
  end

  def alive?(address)
    pid = pid_of(address)
    pid && running?(pid)
  end

  def pid_of(address)
    Integer(File.read(File.join(directory, address, "pid")), exception: false)
  rescue Errno::ENOENT
    nil
  end

  # Stops one host, or all of them, with their sessions.
  def stop(*addresses)
    addresses = Dir.children(directory).grep(/\A127\./) if addresses.empty? # also hosts that are being created
    addresses.select { |address| alive?(address) }.each do |address|
      processes = processes_of(address)
      %w[ CONT TERM ].each { |name| signal name, processes }
      await_end processes or signal "KILL", processes
      await_end processes or raise Error, "sshd on #{address} does not stop"
    end
  end

  # Accepts connections and sends nothing, as a hung machine does.
  def hang(address)
    signal "STOP", processes_of(address)
  end

  def unhang(address)
    signal "CONT", processes_of(address)
  end

  # Limits the disk of a host: its home becomes an empty disk of so many bytes; without root, each file is limited
  # instead.
  def shrink_disk(address, bytes)
    if Process.uid.zero?
      run "mount", "-t", "tmpfs", "-o", "size=#{bytes}", "tmpfs", self[address].home
    else
      write_shell File.join(directory, address), "trap '' XFSZ; ulimit -f #{bytes / 512}"
    end
  end

  def restore_disk(address)
    if Process.uid.zero?
      run "umount", "-l", self[address].home
    else
      write_shell File.join(directory, address)
    end
  end

  # Shifts the clock that date shows by so many seconds; 0 resets it.
  def shift_clock(address, seconds)
    folder = File.join(directory, address)
    FileUtils.mkdir_p File.join(folder, "bin")
    File.write File.join(folder, "bin/date"), %(#!/bin/sh\nexec /bin/date -d "#{seconds} seconds" "$@"\n), perm: 0755
    write_shell folder, *("PATH='#{folder}/bin':$PATH" unless seconds.zero?)
  end

  def remove
    stop if Dir.exist?(directory)
    FileUtils.rm_rf directory
  end

  private
    def prepare
      FileUtils.mkdir_p directory, mode: 0700
      generate_key client_key_path
      FileUtils.mkdir_p "/run/sshd" if Process.uid.zero?
      File.write port_path, free_port unless File.exist?(port_path)
    end

    def port
      Integer(File.read(port_path))
    end

    def port_path
      File.join(directory, "port")
    end

    def free_port
      TCPServer.open("127.0.1.1", 0) { |server| server.addr[1] }
    end

    def generate_key(path)
      run "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path unless File.exist?(path)
    end

    def start_sshd(address)
      folder = File.join(directory, address)
      FileUtils.mkdir_p File.join(folder, "home")
      generate_key File.join(folder, "host_key")
      write_shell folder
      File.write File.join(folder, "sshd_config"), sshd_config(address, folder)
      File.write File.join(folder, "authorized_keys"), File.read("#{client_key_path}.pub"), perm: 0600
      FileUtils.rm_f File.join(folder, "pid")
      run sshd, "-f", File.join(folder, "sshd_config"), "-E", File.join(folder, "sshd.log")
    end

    # Each host has its own home although all of them are one user of one machine. sshd sets HOME, as the user's own
    # shell would spend half a second on the .bashrc of the real home.
    def write_shell(folder, *limits)
      File.write File.join(folder, "shell"), <<~SH, perm: 0755
        #!/bin/sh
        cd "$HOME" || exit 1
        #{limits.join("; ")}
        if [ -n "$SSH_ORIGINAL_COMMAND" ]; then exec /bin/sh -c "$SSH_ORIGINAL_COMMAND"; else exec /bin/sh -l; fi
      SH
    end

    def sshd_config(address, folder)
      <<~CONF
        ListenAddress #{address}:#{port}
        HostKey "#{folder}/host_key"
        PidFile "#{folder}/pid"
        AuthorizedKeysFile "#{folder}/authorized_keys"
        ForceCommand "#{folder}/shell"
        SetEnv "HOME=#{folder}/home"
        PermitRootLogin prohibit-password
        PasswordAuthentication no
        KbdInteractiveAuthentication no
        UsePAM no
        StrictModes no
        MaxStartups 100
        MaxSessions 100
        PrintMotd no
      CONF
    end

    def sshd
      [ "/usr/sbin/sshd",
        *ENV["PATH"].split(":").map { |folder| File.join(folder, "sshd") } ].find { |path| File.executable?(path) } ||
        raise(Error, "sshd is not installed. Run bin/setup --test.")
    end

    # sshd writes its process id once it listens. A test connection would be penalized, as it does not authenticate.
    def await(address)
      until_true("sshd on #{address}:#{port} does not start: #{log_tail(address)}") { alive?(address) }
    end

    def log_tail(address)
      File.readlines(File.join(directory, address, "sshd.log")).last(3).join.strip
    rescue Errno::ENOENT
      ""
    end

    def await_end(processes)
      until_true("") { processes.none? { |pid| running?(pid) } }
      true
    rescue Error
      false
    end

    def until_true(otherwise)
      deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 10
      until yield
        raise Error, otherwise if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
        sleep 0.02
      end
    end

    # Returns the daemon and the processes that serve its connections: one or several each, depending on OpenSSH's
    # version.
    def processes_of(address)
      all = [ pid_of(address) ]
      all.each { |pid| all.concat children(pid).select { |child| serves?(child) } }
    end

    def serves?(pid)
      File.read("/proc/#{pid}/comm").start_with?("sshd")
    rescue Errno::ENOENT, Errno::ESRCH
      false
    end

    def signal(name, processes)
      processes.each do |pid|
        Process.kill name, pid
      rescue Errno::ESRCH
        nil
      end
    end

    def running?(pid)
      File.read("/proc/#{pid}/stat").rpartition(") ").last.then { |state| !state.start_with?("Z") }
    rescue Errno::ENOENT, Errno::ESRCH
      false
    end

    def children(pid)
      Dir["/proc/[0-9]*/stat"].filter_map do |stat|
        fields = File.read(stat).rpartition(") ").last.split
        File.basename(File.dirname(stat)).to_i if fields[1].to_i == pid
      rescue Errno::ENOENT, Errno::ESRCH
        nil
      end
    end

    def run(*command)
      output, status = Open3.capture2e(*command)
      raise Error, "#{command.first} failed: #{output.strip}" unless status.success?
    end
end
