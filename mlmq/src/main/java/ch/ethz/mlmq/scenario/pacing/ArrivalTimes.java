package ch.ethz.mlmq.scenario.pacing;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Arrival times of an open load, independent of what happens to earlier requests.
 *
 * <p>They are evenly spaced ({@link #fixed}), or random as from independent users ({@link #poisson}). The distance
 * between two arrivals is measured in <em>expected arrivals</em> (1, or exponential of mean 1) and turned into time by
 * the plan, which is exact for changing rates as well.
 */
public final class ArrivalTimes {
    private static final double NANOS = 1e9;
    private static final long GOES_ON = Long.MAX_VALUE;
    /** The fractional parts of its multiples are well spread, however many there are. */
    private static final double GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

    private final RandomGenerator random;
    private final List<Plan> earlier = new ArrayList<>();
    private RatePlan plan;
    private long originNanos;
    private long pausedNanos = GOES_ON;
    private double expected;

    /** A plan with the time in which it was in force. */
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
     * @param position of the JVM among those of the load, from 0: it shifts arrivals, so that JVMs do not start
     * requests in step
     * @return arrivals at even distances, the first within one distance of the start, and at the start for position 0
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

    /** @return intended start of the next request [ns since the start of the load]; the same until {@link #advance} */
    public long nextNanos() {
        return originNanos + Math.round(plan.secondsUntil(expected) * NANOS);
    }

    /** Moves to the next arrival. */
    public void advance() {
        expected += gap();
    }

    /**
     * Replaces the rate from now on. The rest of the distance to the next arrival stays the same in expected arrivals.
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
     * Multiplies the planned rate from now on.
     *
     * @param factor  over 0
     * @param atNanos now [ns since the start of the load]
     */
    public void goOn(double factor, long atNanos) {
        replan(plan.rest(Math.max(0, atNanos - originNanos) / NANOS, factor), atNanos);
    }

    /** Plans no arrivals from now on [ns since the start of the load], until {@link #resume}. */
    public void pause(long atNanos) {
        pausedNanos = Math.min(pausedNanos, atNanos);
    }

    /** Resumes the plan from now on [ns since the start of the load]; arrivals during the pause are left out. */
    public void resume(long atNanos) {
        goOn(1, atNanos);
        pausedNanos = GOES_ON;
    }

    /** @return the planned rate [1/s] at an instant [ns since the start of the load] */
    public double rateAt(long nanos) {
        return plan.rateAt(Math.max(0, nanos - originNanos) / NANOS);
    }

    /** @return number of arrivals planned from the start to an instant [ns since the start of the load] */
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
