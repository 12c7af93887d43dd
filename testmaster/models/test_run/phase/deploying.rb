# Copies files to the machines, creates the database if brokers need one, starts brokers, then clients, and waits until
# each is ready. It needs ready machines and a build. Performed again, it compares jars by their digests, does not start
# JVMs again, and leaves an existing database unchanged.
class TestRun::Phase::Deploying < TestRun::Phase
  def perform
    prepare_database if test_run.in_database?
    choose_ports
    copy_to_machines
    create_database if test_run.in_database?
    start brokers
    start clients
    enter_next
  end

  private
    # This comes first, as the settings of every broker contain its address.
    def prepare_database
      record_event :database_begun, "Creating the database of the run" unless test_run.run_database.begun?
      run_database.prepare unless test_run.run_database.created?
    end

    def choose_ports
      brokers.reject(&:port?).group_by(&:machine).each do |machine, jvms|
        machine.choose_ports jvms
      end
    end

    def copy_to_machines
      return if all_jvms.none?(&:pending?)

      waiting = machines.select { |machine| machine.jvms.none? || machine.jvms.any?(&:pending?) }
      jars = test_run.build.jars(system)
      copied = on_machines(waiting, waiting.index_with(&:files_of_jvms)) { |machine, files| machine.deploy jars, files }
      copied.each do |machine, names|
        machine.jvms.each { |jvm| jvm.update! state: "deployed" }
        next if machine.jvms.none?

        what = [ *names, names.any? ? "settings" : "Settings" ].to_sentence
        record_event :copied, "#{what} copied to #{machine.name}", machine: machine
      end
    end

    def create_database
      unless test_run.run_database.created?
        machine, database = brokers.first.machine.tap(&:shell), run_database.at_hand
        attended { database.create_from machine }
        record_event :database_created, "Made the database #{database.description}"
      end
    end

    # Starts JVMs in parallel, and returns when each is ready.
    def start(jvms)
      waiting = jvms.select { |jvm| jvm.deployed? || jvm.starting? }
      starts = waiting.group_by(&:machine).transform_values { |group| group.map { |jvm| how_to_start jvm } }
      on_machines(starts.keys, starts) { |machine, group| machine.start_jvms group }
      waiting.each { |jvm| jvm.update! state: "starting", started_at: jvm.started_at || Time.current }

      within = waiting.map { |jvm| system.ready_within(jvm) }.max.to_i
      ready = await(within:, every: 0.1) { look_at(waiting).all?(&:answered?) }
      raise not_ready(waiting, within) unless ready
      record_event :ready, "#{waiting.map(&:name).to_sentence} #{waiting.one? ? "is" : "are"} ready" if waiting.any?
    end

    # See Machine::Deployable#start_jvms.
    def how_to_start(jvm)
      [ jvm.command_line, jvm.directory, test_run.secrets.slice(*jvm.environment_names) ]
    end

    # Observes the JVMs. One that ends before it is ready ends the run.
    def look_at(jvms)
      groups = jvms.group_by(&:machine)
      names = groups.transform_values { |group| group.map(&:name) }
      glances = on_machines(groups.keys, names) { |machine, group| machine.glance group }
      glances.each { |machine, seen| groups[machine].each { |jvm| jvm.observe seen.fetch(jvm.name) } }

      if ended = jvms.find(&:over?)
        words = ended.last_words
        raise Failure.new(words, advice: ended.advice(words), jvm: ended, machine: ended.machine)
      end
      jvms
    end

    def not_ready(jvms, within)
      late = jvms.reject(&:answered?)
      first = late.first
      Failure.new "#{late.map(&:name).to_sentence} not ready after #{within} s; " \
        "the last line of #{first.name} was: #{first.last_line || "none"}", jvm: first, machine: first.machine,
        advice: "Its logs in the zip say what it waits for. Clients wait for a broker that has room for them."
    end
end
