package ch.ethz.mlmq.scenario.pacing;

import java.util.random.RandomGenerator;

/**
 * When the requests of an open load are to start: one instant after another, whatever became of the requests before.
 *
 * <p>Evenly spaced ({@link #fixed}) or at random as independent users would ({@link #poisson}). The distance between two
 * arrivals is measured in <em>expected arrivals</em> (1, or exponential of mean 1) and turned into time by the plan, which is
 * exact for rates that change as well.
 */
public final class Arrivals {
    private static final double NANOS = 1e9;

    private final RandomGenerator random;
    private RatePlan plan;
    private long originNanos;
    private double expected;

    private Arrivals(RatePlan plan, RandomGenerator random) {
        this.plan = plan;
        this.random = random;
    }

    /** @return arrivals at even distances, the first at the start */
    public static Arrivals fixed(RatePlan plan) {
        return new Arrivals(plan, null);
    }

    /** @return arrivals of a Poisson process, the first after a random gap */
    public static Arrivals poisson(RatePlan plan, RandomGenerator random) {
        Arrivals arrivals = new Arrivals(plan, random);
        arrivals.expected = arrivals.gap();
        return arrivals;
    }

    /** @return when the next request is to start [ns since the start of the load]; the same until {@link #advance} */
    public long nextNanos() {
        return originNanos + Math.round(plan.secondsUntil(expected) * NANOS);
    }

    /** Goes on to the arrival after this one. */
    public void advance() {
        expected += gap();
    }

    /**
     * Replaces the rate from now on.
     *
     * @param plan       counted from {@code atNanos}
     * @param atNanos    now [ns since the start of the load]
     */
    public void replan(RatePlan plan, long atNanos) {
        this.plan = plan;
        originNanos = atNanos;
        expected = gap();
    }

    /** @return the planned rate [1/s] at an instant [ns since the start of the load] */
    public double rateAt(long nanos) {
        return plan.rateAt(Math.max(0, nanos - originNanos) / NANOS);
    }

    private double gap() {
        return random == null ? 1 : -Math.log1p(-random.nextDouble());
    }
}
