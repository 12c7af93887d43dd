package ch.ethz.mlmq.log_analyzer.check;

import java.util.Set;

/** What a check looks at. */
public enum Topic {
    /** No JVM of the run died. */
    JVMS_LIVED("Every JVM lived to the end"),
    /** Requests that nobody has answered. */
    REQUESTS_ANSWERED("Every request answered"),
    /** Requests that failed. */
    ERRORS("Errors", Load.SEARCH),
    /** Client JVMs that had no answer at all. */
    CLIENTS_WORKED("All clients worked"),
    /** Requests that began after their time. */
    LATE_STARTS("Late starts", Load.SEARCH),
    /** Whether the load reached its rate. */
    PLANNED_RATE("Planned rate", Load.SEARCH),
    /** Client JVMs that were the bottleneck. */
    CLIENTS_NOT_THE_LIMIT("Clients not the limit", Load.SEARCH),
    /** Logs that are cut off, or there twice. */
    LOGS_COMPLETE("Logs complete"),
    /** Lines of each client JVM against its own count. */
    LOGS_AND_SUMMARIES_AGREE("Logs and summaries agree"),
    /** Time without an answer. */
    NO_GAP("No gap in time", Load.SEARCH),
    /** Drift from the first half to the second. */
    STEADY_STATE("Steady state", Load.SEARCH, Load.STEPS),
    /** Whether what waits grows. */
    QUEUE_STEADY("Queue steady", Load.SEARCH, Load.STEPS),
    /** Clocks of the machines. */
    CLOCKS_AGREE("Clocks agree"),
    /** The fixed piece of work of each machine. */
    MACHINE_SPEED("Machine speed"),
    /** Processors of client machines. */
    CLIENT_MACHINES("Client machines under 75 % busy"),
    /** Whether a broker was saturated. */
    BROKERS("Brokers"),
    /** Files beside the logs that cannot be read. */
    FILES_READABLE("Files readable");

    /** Loads that bring about on purpose what else would speak against a run. */
    public enum Load {
        /** Raised until it is too much. */
        SEARCH,
        /** Clients join by steps. */
        STEPS
    }

    private final String words;
    private final Set<Load> expectedIn;

    Topic(String words, Load... expectedIn) {
        this.words = words;
        this.expectedIn = Set.of(expectedIn);
    }

    /** @return as tables, JSON and pages have it */
    @Override
    public String toString() {
        return words;
    }

    /** @return whether such a load brings it about, so that it speaks against nothing */
    public boolean isExpectedIn(Load load) {
        return expectedIn.contains(load);
    }
}
