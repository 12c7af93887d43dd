module TestRun::Deployable
  READY_WITHIN = 120 # seconds

  private
    def database_begun?
      events.exists?(name: "database_begun")
    end

    def database_created?
      events.exists?(name: "database_created")
    end

    def deploy
      prepare_database
      choose_ports
      copy_to_machines
      create_database
      start brokers, run_database.environment
      start clients, run_database.environment
      enter "running"
    end

    def choose_ports
      brokers.reject(&:port?).group_by(&:machine).each do |machine, jvms|
        machine.choose_ports jvms
      end
    end

    def copy_to_machines
      waiting = machines.select { |machine| machine.jvms.any?(&:pending?) }
      waiting.each(&:shell)
      files = waiting.index_with(&:files_of_jvms)
      side_by_side(waiting) { |machine| machine.deploy jar, files.fetch(machine) }.each do |machine, copied|
        machine.jvms.each { |jvm| jvm.update! state: "deployed" }
        record_event :copied, "#{copied ? "mlmq.jar and settings" : "Settings"} copied to #{machine.name}", machine: machine
      end
    end

    # First of all, as its address is among the settings of every broker.
    def prepare_database
      record_event :database_begun, "A database of its own for the run" unless database_begun?
      run_database.prepare unless database_created?
    end

    def create_database
      unless database_created?
        machine = brokers.first.machine.tap(&:shell)
        attended { run_database.create_from machine }
        record_event :database_created, "Made the database #{run_database.description}"
      end
    end

    # Side by side; and returns when each of them says that it is ready.
    def start(jvms, environment)
      waiting = jvms.select { |jvm| jvm.deployed? || jvm.starting? }
      commands = waiting.group_by(&:machine).transform_values { |group| group.map { |jvm| [ jvm.command_line, jvm.directory, environment.slice(*jvm.environment_names) ] } }
      side_by_side(commands.to_a) { |machine, starts| machine.start_jvms starts }
      waiting.each { |jvm| jvm.update! state: "starting", started_at: jvm.started_at || Time.current }

      ready = await(within: READY_WITHIN, every: 0.1) { look_at(waiting).all?(&:answered?) }
      raise not_ready(waiting) unless ready
      record_event :ready, "#{waiting.map(&:name).to_sentence} #{waiting.one? ? "is" : "are"} ready" if waiting.any?
    end

    # What has become of them. One that ended before it was ready ends the run.
    def look_at(jvms)
      glances = side_by_side(jvms.group_by(&:machine).to_a) { |machine, group| machine.glance group.map(&:name) }
      glances.each { |(_, group), seen| group.each { |jvm| jvm.observe seen.fetch(jvm.name) } }

      if ended = jvms.find(&:over?)
        raise Failure.new(ended.last_words, advice: ended.advice, jvm: ended, machine: ended.machine)
      end
      jvms
    end

    def not_ready(jvms)
      late = jvms.reject(&:answered?)
      Failure.new "#{late.map(&:name).to_sentence} not ready after #{READY_WITHIN} s; the last line of #{late.first.name} was: #{late.first.last_line || "none"}",
        jvm: late.first, machine: late.first.machine, advice: "Its logs in the zip say what it waits for. Clients wait for a broker that has room for them."
    end
end
