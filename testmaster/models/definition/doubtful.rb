# Asks what a run would find only after its launch: whether the revision exists and did build, the system is installed,
# the memory and the connections suffice, and the database can be reached. It asks only what answers within a few
# seconds.
class Definition::Doubtful
  PATIENCE = 3 # seconds

  def initialize(definition)
    @definition = definition
  end

  # Returns why a run would fail, in sentences without a full stop.
  def reasons
    [ revision, *systems, heaps, *contents, database, connections ].compact
  end

  private
    delegate :provider, to: :@definition

    # The commit of another repository is left to the build.
    def revision
      name = @definition.revision
      return if name.blank? || Address::Repository === name || Build::Source.complaint_about(name)

      version = Build::Source.present_version(name) or return "There is no revision #{name} in this checkout"
      build = Build.broken.find_by(commit_sha: version)
      "The last build of revision #{name} failed: #{build.error}" if build
    end

    # Only this machine is asked; a check of a provider under Settings asks its hosts.
    def systems
      return [] unless provider&.one_machine?

      @definition.broker_groups.reject(&:address?).filter_map(&:system).uniq.reject { |system| installed?(system) }
        .map { |system| "#{system.label} is not installed on this machine: apt-get install #{system.packages}" }
    end

    def installed?(system)
      system.default? || Build::Subprocess.run("sh", "-c", system.installed, within: PATIENCE).present?
    rescue Failure
      true # it is not known
    end

    def contents
      @definition.client_groups.filter_map { |group| Contents.of(group)&.complaint }.uniq
    end

    # Only the memory of this machine is known before the launch.
    def heaps
      return unless provider&.one_machine?

      asked = @definition.groups_with_jvms.sum { |group| group.jvms_in_all * group.heap_bytes }
      "The heaps of the JVMs may grow to #{size_of asked}, and this machine has #{size_of memory}: set smaller ones" if
        asked > memory
    end

    def memory
      File.read("/proc/meminfo")[/^MemTotal: +(\d+) kB/, 1].to_i.kilobytes
    end

    def size_of(bytes)
      ActiveSupport::NumberHelper.number_to_human_size bytes
    end

    def connections
      if @definition.connections_lacking?
        "The brokers open #{@definition.planned_connections} connections, and the database takes " \
          "#{@definition.most_connections}: lower Connections, or the number of brokers"
      end
    end

    def database
      case (@definition.database_kind if @definition.in_database?)
      when "embedded"
        if provider&.rented? && DatabaseServer::Embedded.here_only?
          "Machines of #{provider.name} cannot reach the embedded database, which listens on this machine alone: " \
            "choose another database"
        end
      when "url" then unreachable
      end
    end

    def unreachable
      address = Address::Database.new(@definition.database)
      return if address.complaint

      Socket.tcp(address.host, address.port, connect_timeout: PATIENCE) { nil }
    rescue SystemCallError, SocketError => error
      "The database at #{address.host}:#{address.port} cannot be reached from here: #{error.message}"
    end
end
