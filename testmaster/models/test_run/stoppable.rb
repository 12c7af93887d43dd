# Clients first, then brokers, so that every acknowledged message has somebody to answer for it.
module TestRun::Stoppable
  GRACE = 15 # seconds that a JVM has to shut down by itself
  LAST_GRACE = 5

  private
    def stop_jvms
      [ clients, brokers ].each { |jvms| stop jvms }
      machines_within_reach.each { |machine| attempt("see how the JVMs of #{machine.name} ended") { observe machine.jvms.to_a } }
      machines_within_reach.each { |machine| attempt("stop the monitor of #{machine.name}") { machine.stop_monitor } }
    end

    def stop(jvms)
      jvms = jvms.select { |jvm| jvm.machine.in?(machines_within_reach) }
      ask_to_end(jvms, GRACE) { |machine, living| machine.tell living, "shutdown" }
      ask_to_end(jvms, LAST_GRACE) { |machine, living| machine.signal living, "TERM" }
      ask_to_end(jvms, LAST_GRACE) { |machine, living| machine.signal living, "KILL" }
    end

    def ask_to_end(jvms, grace)
      living = still_living(jvms)
      return if living.empty?

      living.group_by(&:machine).each { |machine, group| attempt("stop #{group.map(&:name).to_sentence}") { yield machine, group } }
      await(within: grace) { still_living(living).empty? }
    end

    def still_living(jvms)
      jvms.group_by(&:machine).flat_map do |machine, group|
        attempt("look at #{machine.name}") { machine.living group } || []
      end
    end
end
