package ch.ethz.mlmq.scenario.pacing;

/**
 * The times of a load's phases. All instants are of one clock [ns].
 *
 * @param startNanos    start of the load
 * @param warmupNanos   length of the warm-up, at least 0
 * @param durationNanos length of the measuring phase; {@link #UNLIMITED} until it is ended otherwise
 * @param cooldownNanos length of the cool-down, at least 0
 */
public record PhasePlan(long startNanos, long warmupNanos, long durationNanos, long cooldownNanos) {
    /** A duration that no run reaches [ns]: about 73 years. */
    public static final long UNLIMITED = Long.MAX_VALUE / 4;

    private static final Phase[] PHASES = {Phase.READY, Phase.WARMUP, Phase.MEASURING, Phase.COOLDOWN, Phase.DRAINING};

    /** Checks the ranges. */
    public PhasePlan {
        if (warmupNanos < 0 || durationNanos <= 0 || cooldownNanos < 0) {
            throw new IllegalArgumentException("a phase cannot take a negative time, and measuring must take some");
        }
    }

    /**
     * Computes the phase without branches. The JVM compiles a branch never taken so far as a trap, so the first
     * requests of each phase would invalidate the compiled code.
     *
     * @return the phase at an instant; {@link Phase#READY} before the start, {@link Phase#DRAINING} after the end
     */
    public Phase at(long nanos) {
        return PHASES[reached(startNanos, nanos) + reached(measuringStart(), nanos) + reached(measuringEnd(), nanos)
                + reached(end(), nanos)];
    }

    /** @return when measuring starts */
    public long measuringStart() {
        return startNanos + warmupNanos;
    }

    /** @return when measuring ends */
    public long measuringEnd() {
        return measuringStart() + durationNanos;
    }

    /** @return when the last request may start */
    public long end() {
        return measuringEnd() + cooldownNanos;
    }

    /**
     * @return the same load with a measuring phase that ended at an instant, by its number of requests or by command
     */
    public PhasePlan measuringEndedAt(long nanos) {
        return new PhasePlan(startNanos, warmupNanos, Math.max(1, nanos - measuringStart()), cooldownNanos);
    }

    /** @return the same load, ended at an instant of any phase */
    public PhasePlan endedAt(long nanos) {
        long elapsed = Math.max(0, nanos - startNanos);
        long warmup = Math.min(warmupNanos, elapsed);
        long duration = Math.min(durationNanos, Math.max(1, elapsed - warmup));
        long cooldown = Math.min(cooldownNanos, Math.max(0, elapsed - warmup - duration));
        return new PhasePlan(Math.min(startNanos, nanos - 1), warmup, duration, cooldown);
    }

    /** @return 1 from the instant on, 0 before it */
    private static int reached(long instant, long nanos) {
        return (int) (~(nanos - instant) >>> (Long.SIZE - 1));
    }
}
