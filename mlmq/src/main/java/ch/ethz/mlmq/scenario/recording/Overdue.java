package ch.ethz.mlmq.scenario.recording;

import ch.ethz.mlmq.json.JsonObject;
import ch.ethz.mlmq.scenario.pacing.Phase;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongFunction;

/**
 * Requests that were sent in the warm-up, waited a second or more, and failed while measuring or had no response when
 * it ended. No other figure shows them: they belong to the warm-up, and kept others from starting. A take that waited
 * for a message is none of them.
 */
public final class Overdue {
    private static final long LEAST_NANOS = 1_000_000_000;
    private static final double NANOS_PER_SECOND = 1e9;

    private final LongFunction<Phase> phases;
    private final LongAdder unanswered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);

    Overdue(LongFunction<Phase> phases) {
        this.phases = phases;
    }

    void succeeded(long sentNanos, long endNanos) {
        if (isOverdue(sentNanos, endNanos) && phases.apply(endNanos) != Phase.MEASURING) {
            count(unanswered, 1, endNanos - sentNanos);
        }
    }

    void failed(long sentNanos, long endNanos) {
        if (isOverdue(sentNanos, endNanos)) {
            count(phases.apply(endNanos) == Phase.MEASURING ? failed : unanswered, 1, endNanos - sentNanos);
        }
    }

    /** Counts requests of the warm-up that have not ended, for so long at least [ns]. */
    void left(long requests, long nanos) {
        count(unanswered, requests, nanos);
    }

    /** @return number of those that had no response when measuring ended */
    public long unanswered() {
        return unanswered.sum();
    }

    /** @return number of those that failed while measuring */
    public long failed() {
        return failed.sum();
    }

    /** @return the longest time of any of them to its response or failure [s] */
    public double longestSeconds() {
        return longestNanos.get() / NANOS_PER_SECOND;
    }

    JsonObject toJson() {
        return new JsonObject().put("unanswered", unanswered()).put("failed", failed())
                .put("longest_s", longestSeconds());
    }

    private boolean isOverdue(long sentNanos, long endNanos) {
        return endNanos - sentNanos >= LEAST_NANOS && phases.apply(sentNanos) == Phase.WARMUP
                && phases.apply(endNanos) != Phase.WARMUP;
    }

    private void count(LongAdder kind, long requests, long nanos) {
        kind.add(requests);
        longestNanos.accumulate(nanos);
    }
}
