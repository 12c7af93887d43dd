package ch.ethz.mlmq.log_analyzer.check;

import ch.ethz.mlmq.log_analyzer.vocabulary.CheckBounds;
import java.util.Set;

/** The subject of a check; {@code vocabulary/checks.yml} has its bounds, and explains it. */
public enum Topic {
    /** JVMs of the run that died. */
    JVMS_LIVED("Every JVM lived to the end"),
    /** Requests without a response. */
    REQUESTS_ANSWERED("Every request answered"),
    /** Requests that failed. */
    ERRORS("Errors", Load.SEARCH),
    /** Client JVMs that got no response at all. */
    CLIENTS_WORKED("All clients worked"),
    /** Copies of published messages that are neither received nor left in their subscription. */
    COPIES_KEPT("No copy lost"),
    /** Requests that started after their time. */
    LATE_STARTS("Late starts", Load.SEARCH),
    /** The rate of the load against its plan. */
    PLANNED_RATE("Planned rate", Load.SEARCH),
    /** Client JVMs that were the bottleneck. */
    CLIENTS_NOT_THE_LIMIT("Clients not the limit", Load.SEARCH),
    /** Logs that are cut off, or included twice. */
    LOGS_COMPLETE("Logs complete"),
    /** Lines of each client JVM's log against its own count. */
    LOGS_AND_SUMMARIES_AGREE("Logs and summaries agree"),
    /** Time without a response. */
    NO_GAP("No gap in time", Load.SEARCH),
    /** The drift from the first half to the second. */
    STEADY_STATE("Steady state", Load.SEARCH, Load.STEPS),
    /** The growth of the waiting queue. */
    QUEUE_STEADY("Queue steady", Load.SEARCH, Load.STEPS),
    /** The clocks of the machines. */
    CLOCKS_AGREE("Clocks agree"),
    /** The fixed piece of work of each machine. */
    MACHINE_SPEED("Machine speed"),
    /** The machines' calibrations against earlier ones. */
    MACHINES_NORMAL("Machines in their normal"),
    /** The memory of machines. */
    MEMORY("Memory not the limit"),
    /** The network against its test before the load. */
    NETWORK("Network not the limit"),
    /** The processors of client machines. */
    CLIENT_MACHINES("Client machines under 75 % busy"),
    /** The saturation of brokers. */
    BROKERS("Brokers"),
    /** The processor time that programs outside of the run took. */
    OTHER_PROGRAMS("Other programs"),
    /** Files beside the logs that cannot be read. */
    FILES_READABLE("Files readable");

    /** Kinds of load that cause some findings on purpose. */
    public enum Load {
        /** The load is increased until it is too much. */
        SEARCH,
        /** Clients join in steps. */
        STEPS
    }

    private final String words;
    private final Set<Load> expectedIn;

    Topic(String words, Load... expectedIn) {
        this.words = words;
        this.expectedIn = Set.of(expectedIn);
    }

    /** @return the title in tables, JSON and pages */
    @Override
    public String toString() {
        return words;
    }

    /** @return the bound beyond which the check rejects a run: a share 0..1, or ms */
    double rejected() {
        return CheckBounds.rejected(words);
    }

    /** @return the bound beyond which the check warns: a share 0..1, or ms */
    double warning() {
        return CheckBounds.warning(words);
    }

    /** @return number of earlier calibrations that are a normal */
    double calibrations() {
        return CheckBounds.number(words, "calibrations");
    }

    /** @return true if such a load causes the finding on purpose, so that it does not invalidate the run */
    public boolean isExpectedIn(Load load) {
        return expectedIn.contains(load);
    }
}
