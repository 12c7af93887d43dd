# Stops clients first, then brokers, so that brokers can account for every acknowledged message.
module TestRun::Phase::Collecting::Stopping
  GRACE = 15 # seconds that a JVM has to shut down by itself
  LAST_GRACE = 5

  private
    def stop_jvms
      [ clients, brokers ].each { |jvms| stop jvms }
      observe_end_of (clients + brokers).reject(&:over?)
      on_each(machines_within_reach, "stop the monitor of", &:stop_monitor)
    end

    def stop(jvms)
      under_test = system
      ask_to_end(jvms, GRACE) { |machine, living| under_test.shut_down machine, living }
      ask_to_end(jvms, LAST_GRACE) { |machine, living| machine.signal living, "TERM" }
      ask_to_end(jvms, LAST_GRACE) { |machine, living| machine.signal living, "KILL" }
    end

    def ask_to_end(jvms, grace, &block)
      living = still_living(jvms)
      return if living.empty?

      on_each_with(living, "stop #{living.map(&:name).to_sentence} on", &block)
      await(within: grace) { still_living(living).empty? }
    end

    def still_living(jvms)
      on_each_with(jvms, "look at") { |machine, group| machine.living group }.values.flatten
    end

    def observe_end_of(jvms)
      glances = on_each_with(jvms, "see how the JVMs ended on") { |machine, group| machine.glance group.map(&:name) }
      glances.each_value do |seen|
        jvms.each { |jvm| jvm.observe seen[jvm.name] if seen.key?(jvm.name) }
      end
    end

    def on_each_with(jvms, what, &block)
      groups = jvms.group_by(&:machine).slice(*machines_within_reach)
      on_each groups.keys, what, groups, &block
    end

    # Returns { machine => value of the block }. A failure is noted and does not delay the others.
    def on_each(machines, what, given = nil)
      said = on_machines(machines, given) do |*machine_and_given|
        yield(*machine_and_given)
      rescue Failure => failure
        failure
      end
      failures, answers = said.partition { |_, result| result.is_a?(Failure) }
      failures.each { |machine, failure| attempt("#{what} #{machine.name}") { raise failure } }
      answers.to_h
    end
end
