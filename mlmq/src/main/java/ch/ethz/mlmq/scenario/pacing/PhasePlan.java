package ch.ethz.mlmq.scenario.pacing;

/**
 * Which phase of the load an instant belongs to. All instants in one clock [ns].
 *
 * @param startNanos    when the load starts
 * @param warmupNanos   how long it warms up, at least 0
 * @param durationNanos how long it measures; {@link #UNLIMITED} until it is ended otherwise
 * @param cooldownNanos how long it cools down, at least 0
 */
public record PhasePlan(long startNanos, long warmupNanos, long durationNanos, long cooldownNanos) {
    /** A duration that no run reaches [ns]: some 73 years. */
    public static final long UNLIMITED = Long.MAX_VALUE / 4;

    private static final Phase[] PHASES = {Phase.READY, Phase.WARMUP, Phase.MEASURING, Phase.COOLDOWN, Phase.DRAINING};

    /** Checks the bounds above. */
    public PhasePlan {
        if (warmupNanos < 0 || durationNanos <= 0 || cooldownNanos < 0) {
            throw new IllegalArgumentException("a phase cannot take a negative time, and measuring must take some");
        }
    }

    /**
     * Has no branches: the JVM compiles a branch that was not taken so far as a trap, so that the first requests of
     * each phase would throw the compiled code away.
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

    /** @return the same load whose measuring ended at an instant, by the number of its requests or by command */
    public PhasePlan measuringEndedAt(long nanos) {
        return new PhasePlan(startNanos, warmupNanos, Math.max(1, nanos - measuringStart()), cooldownNanos);
    }

    /** @return the same load cut off at an instant, whatever phase it is in then */
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
