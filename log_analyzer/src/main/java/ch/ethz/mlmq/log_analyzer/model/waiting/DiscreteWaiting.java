package ch.ethz.mlmq.log_analyzer.model.waiting;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * GI/GI/1 with bounded delay in discrete time: the unfinished work that an arrival meets, iterated from arrival to
 * arrival, U⁻ = max(U⁺ − A, 0), U⁺ = min(U⁻ + B, D) (Henjes (5.26), (5.27), after P. Tran-Gia, <i>Einführung in die
 * Leistungsbewertung und Verkehrstheorie</i>, 2005). Times are cut to units of a hundredth of the mean inter-arrival
 * time (5.29), (5.30), so E[A] becomes 0.5 % longer; service is cut likewise.
 *
 * <p>Assumes: independent inter-arrival and service times, one server, first come first served. Longer waits than the
 * bound count as the bound.
 */
public final class DiscreteWaiting implements WaitingTime {
    private static final int UNITS = 100;
    private static final double TAIL = 1e-9;
    private static final double CONVERGED = 1e-8;
    private static final double AT_THE_BOUND = 1e-4;
    private static final int MOST_UNITS = 20_000;
    private static final int MOST_ROUNDS = 20_000;
    private static final double MOST_WORK = 4e9;

    private final double unit;
    private final double[] cumulative;
    private final double mean;
    private final boolean bounded;

    /**
     * @param arrivals P(A ≤ t) of the inter-arrival times, t in s
     * @param every    their mean [s]
     * @param service  P(B ≤ t), t in s
     * @param seconds  mean service time [s]
     * @param bound    of the unfinished work D [s]
     */
    public DiscreteWaiting(DoubleUnaryOperator arrivals, double every, DoubleUnaryOperator service, double seconds,
            double bound) {
        Arrivals.stable(seconds / every);
        unit = every / UNITS;
        int most = (int) Math.min(MOST_UNITS, Math.ceil(bound / unit));
        if (bound / unit > MOST_UNITS) {
            throw new DataException("The bound is more than %d times the time between arrivals.".formatted(MOST_UNITS
                    / UNITS));
        }
        double[] a = masses(arrivals, most);
        double[] b = masses(service, most);
        double[] u = new double[most + 1];
        u[0] = 1;
        double change = 1;
        double work = 0;
        for (int round = 0; change > CONVERGED; round++) {
            work += (double) most * (a.length + b.length);
            if (round == MOST_ROUNDS || work > MOST_WORK) {
                throw new DataException("The waiting time did not converge. A lower bound or a lower utilisation lets "
                        + "it.");
            }
            double[] next = afterArrival(withService(u, b), a);
            change = 0;
            for (int i = 0; i <= most; i++) {
                change = Math.max(change, Math.abs(next[i] - u[i]));
            }
            u = next;
        }
        cumulative = new double[most + 1];
        double sum = 0;
        double weighted = 0;
        for (int i = 0; i <= most; i++) {
            sum += u[i];
            weighted += u[i] * i;
            cumulative[i] = sum;
        }
        mean = weighted * unit;
        bounded = withService(u, b)[most] > AT_THE_BOUND;
    }

    @Override
    public String name() {
        return "GI/GI/1 discrete";
    }

    @Override
    public double mean() {
        return mean;
    }

    /**
     * @return true if more than one in ten thousand arrivals met the bound, so that the bound and not the queue
     * determines the longest waits
     */
    public boolean isBounded() {
        return bounded;
    }

    @Override
    public double within(double seconds) {
        int index = (int) Math.floor(seconds / unit * (1 + TAIL));
        return index >= cumulative.length ? 1 : cumulative[index];
    }

    private double[] masses(DoubleUnaryOperator distribution, int most) {
        double[] masses = new double[most + 1];
        double before = 0;
        int used = 0;
        for (int k = 1; k <= most && before < 1 - TAIL; k++) {
            double now = k == most ? 1 : distribution.applyAsDouble(k * unit);
            masses[k] = Math.max(0, now - before);
            before = Math.max(before, now);
            used = k;
        }
        masses[used] += 1 - before;
        return Arrays.copyOf(masses, used + 1);
    }

    private static double[] withService(double[] u, double[] b) {
        int most = u.length - 1;
        double[] after = new double[u.length];
        for (int i = 0; i <= most; i++) {
            for (int k = 1; k < b.length && u[i] > 0; k++) {
                after[Math.min(i + k, most)] += u[i] * b[k];
            }
        }
        return after;
    }

    private static double[] afterArrival(double[] u, double[] a) {
        double[] after = new double[u.length];
        for (int i = 0; i < u.length; i++) {
            for (int k = 1; k < a.length && u[i] > 0; k++) {
                after[Math.max(i - k, 0)] += u[i] * a[k];
            }
        }
        return after;
    }
}
