package ch.ethz.mlmq.scenario.pacing;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * When the requests of an open load are to start: one instant after another, whatever became of the requests before.
 *
 * <p>Evenly spaced ({@link #fixed}) or at random as independent users would ({@link #poisson}). The distance between
 * two arrivals is measured in <em>expected arrivals</em> (1, or exponential of mean 1) and turned into time by the
 * plan, which is exact for rates that change as well.
 */
public final class ArrivalTimes {
    private static final double NANOS = 1e9;
    private static final long GOES_ON = Long.MAX_VALUE;
    /** Multiples of it, without their whole parts, lie far apart, however many there are. */
    private static final double GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

    private final RandomGenerator random;
    private final List<Plan> earlier = new ArrayList<>();
    private RatePlan plan;
    private long originNanos;
    private long pausedNanos = GOES_ON;
    private double expected;

    /** A plan that was in force for a while. */
    private record Plan(RatePlan rate, long fromNanos, long toNanos) {
        private double planned(long untilNanos) {
            return rate.arrivalsBy(Math.max(0, Math.min(untilNanos, toNanos) - fromNanos) / NANOS);
        }
    }

    private ArrivalTimes(RatePlan plan, RandomGenerator random) {
        this.plan = plan;
        this.random = random;
    }

    /**
     * @param position of the JVM among those of the load, from 0: they do not start their requests in step
     * @return arrivals at even distances, the first within one of the start, at the start for position 0
     */
    public static ArrivalTimes fixed(RatePlan plan, int position) {
        ArrivalTimes arrivals = new ArrivalTimes(plan, null);
        arrivals.expected = position * GOLDEN_RATIO % 1;
        return arrivals;
    }

    /** @return arrivals of a Poisson process, the first after a random gap */
    public static ArrivalTimes poisson(RatePlan plan, RandomGenerator random) {
        ArrivalTimes arrivals = new ArrivalTimes(plan, random);
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
     * Replaces the rate from now on. The distance to the next arrival, in expected arrivals, stays what is left of it.
     *
     * @param replacement counted from {@code atNanos}
     * @param atNanos     now [ns since the start of the load]
     */
    public void replan(RatePlan replacement, long atNanos) {
        Plan replaced = new Plan(plan, originNanos, Math.min(atNanos, pausedNanos));
        earlier.add(replaced);
        expected = Math.max(0, expected - replaced.planned(atNanos));
        plan = replacement;
        originNanos = atNanos;
        pausedNanos = pausedNanos == GOES_ON ? GOES_ON : atNanos;
    }

    /**
     * Goes on from now on as planned, with a multiple of the rate.
     *
     * @param factor  over 0
     * @param atNanos now [ns since the start of the load]
     */
    public void goOn(double factor, long atNanos) {
        replan(plan.rest(Math.max(0, atNanos - originNanos) / NANOS, factor), atNanos);
    }

    /** Nothing is planned from now on [ns since the start of the load], until {@link #resume}. */
    public void pause(long atNanos) {
        pausedNanos = Math.min(pausedNanos, atNanos);
    }

    /** Goes on from now on [ns since the start of the load] as planned, without what was to come during the pause. */
    public void resume(long atNanos) {
        goOn(1, atNanos);
        pausedNanos = GOES_ON;
    }

    /** @return the planned rate [1/s] at an instant [ns since the start of the load] */
    public double rateAt(long nanos) {
        return plan.rateAt(Math.max(0, nanos - originNanos) / NANOS);
    }

    /** @return how many arrivals were planned from the start up to an instant [ns since the start of the load] */
    public double planned(long untilNanos) {
        double planned = new Plan(plan, originNanos, pausedNanos).planned(untilNanos);
        for (Plan replaced : earlier) {
            planned += replaced.planned(untilNanos);
        }
        return planned;
    }

    private double gap() {
        return random == null ? 1 : -Math.log1p(-random.nextDouble());
    }
}
