package ch.ethz.mlmq.scenario.workload;

import ch.ethz.mlmq.protocol.Limits;
import java.util.random.RandomGenerator;

/**
 * The priorities of a load's messages, all equally likely.
 *
 * @param from lowest, 1..10
 * @param to   highest, 1..10, at least {@code from}
 */
public record Priorities(int from, int to) {
    /** Checks the ranges. */
    public Priorities {
        if (from < Limits.LEAST_PRIORITY || to > Limits.GREATEST_PRIORITY || to < from) {
            throw new IllegalArgumentException("must be a priority 1..10, or two in order as in 1..10");
        }
    }

    /** @return the priority of the next message */
    public int next(RandomGenerator random) {
        return from == to ? from : random.nextInt(from, to + 1);
    }
}
