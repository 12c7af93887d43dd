package ch.ethz.mlmq.scenario.recording;

import ch.ethz.mlmq.scenario.pacing.Phase;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongFunction;

/**
 * Integrates over time how many requests are under way: n requests that began at b1 to bn have been so for
 * n t - (b1 + … + bn) at an instant t. The end of a request takes one away. Sums by phase are enough to know the
 * integral from a phase's start to its end, as nothing else happens at these instants. They may overflow: what they
 * differ by does not. Thread-safe.
 */
final class UnderWay {
    private final LongFunction<Phase> phases;
    private final Map<Phase, Changes> changes = new EnumMap<>(Phase.class);

    /** Beginnings less ends, and the sum of the instants of ends less that of beginnings [ns]. */
    private record Changes(LongAdder number, LongAdder nanos) {
    }

    /** @param phases the phase at an instant [ns] */
    UnderWay(LongFunction<Phase> phases) {
        this.phases = phases;
        for (Phase phase : Phase.values()) {
            changes.put(phase, new Changes(new LongAdder(), new LongAdder()));
        }
    }

    /** Counts a request from its planned start [ns] on, as it is not known yet when the driver sends it. */
    void started(long intendedNanos) {
        change(1, intendedNanos);
    }

    /** Counts the same request from its sending to its end instead [ns]. */
    void ended(long intendedNanos, long sentNanos, long endNanos) {
        change(-1, intendedNanos);
        change(1, Math.min(sentNanos, endNanos));
        change(-1, endNanos);
    }

    /** @return the mean number from the start of measuring to its end [ns] */
    double mean(long fromNanos, long toNanos) {
        long length = toNanos - fromNanos;
        long before = sum(Phase.READY) + sum(Phase.WARMUP);
        Changes measuring = changes.get(Phase.MEASURING);
        long integral = before * length + measuring.number.sum() * toNanos + measuring.nanos.sum();
        return integral / (double) length;
    }

    private long sum(Phase phase) {
        return changes.get(phase).number.sum();
    }

    private void change(int number, long nanos) {
        Changes ofPhase = changes.get(phases.apply(nanos));
        ofPhase.number.add(number);
        ofPhase.nanos.add(-number * nanos);
    }
}
