package ch.ethz.mlmq.scenario.selfcheck;

import java.util.Locale;
import java.util.Optional;

/**
 * Judges from the client's own state whether its results are valid.
 *
 * @param cpuShare     of the machine that this JVM used, 0..1
 * @param threadShare  of one processor that its busiest thread used, 0..1
 * @param clientThreads number of threads that belong to one client each; 0 if clients share threads
 * @param arrivals     requests that were to start; 0 for a closed load
 * @param lateByClient requests that started late although the client could have started them in time
 */
public record Verdict(double cpuShare, double threadShare, int clientThreads, long arrivals, long lateByClient) {
    private static final double CPU_LIMIT = 0.75;
    private static final double LATE_LIMIT = 0.01;

    /** @return why the client limited the run rather than the broker; empty if nothing indicates so */
    public Optional<String> clientWasTheBottleneck() {
        if (cpuShare > CPU_LIMIT) {
            return because("the client used %.0f %% of the machine's processor time" + (clientThreads == 0 ? ""
                    : ", whose driver has a thread for each of its " + clientThreads + " connections"), 100 * cpuShare);
        }
        if (threadShare > CPU_LIMIT) {
            return because("the client's busiest thread was busy %.0f %% of the time", 100 * threadShare);
        }
        if (lateByClient > LATE_LIMIT * arrivals) {
            return because("the client started %.1f %% of the requests late", 100.0 * lateByClient / arrivals);
        }
        return Optional.empty();
    }

    private static Optional<String> because(String reason, double percent) {
        return Optional.of(String.format(Locale.ROOT, reason, percent));
    }
}
