package ch.ethz.mlmq.log_analyzer.model.waiting;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import java.util.Arrays;

/**
 * GI/GI/1 with bounded delay in discrete time: the unfinished work that an arrival meets, iterated from arrival to
 * arrival, U⁻ = max(U⁺ − A, 0), U⁺ = min(U⁻ + B, D_max) (Henjes (5.26), (5.27), after P. Tran-Gia, <i>Einführung in die
 * Leistungsbewertung und Verkehrstheorie</i>, 2005). Times are rounded up to units (5.29), (5.30), by which E[A]
 * becomes 0.5 % longer with 100 units; service is rounded likewise.
 *
 * <p>Assumes: independent inter-arrival and service times, one server, first come first served. Longer waits than the
 * bound count as the bound.
 */
public final class DiscreteWaiting implements WaitingTime {
    private static final double ROUNDING = 1e-9;
    private static final double NEGLIGIBLE = 1e-20;
    private static final int MOST_UNITS = 1_000_000;
    /** Additions; they take some minutes. */
    private static final double MOST_WORK = 5e11;
    private static final int HALVINGS = 60;

    private final Discretization parameters;
    private final double unit;
    private final double[] a;
    private final double[] b;
    private final double[] cumulative;
    private final double mean;
    private final double atBound;
    private int rounds;
    private double work;

    /**
     * @param arrivals   inter-arrival times
     * @param service    service times
     * @param parameters ε_c, ε_d, ε_f, n_u and D_max
     */
    public DiscreteWaiting(Law arrivals, Law service, Discretization parameters) {
        Arrivals.stable(service.mean() / arrivals.mean());
        this.parameters = parameters;
        unit = arrivals.mean() / parameters.units();
        a = masses(arrivals);
        b = masses(service);
        Arrivals.stable(utilisation());
        double[] u = parameters.bound().isPresent()
                ? stationary(bounded(Math.ceil(parameters.bound().getAsDouble() / unit))) : withinTail();
        cumulative = new double[u.length];
        double sum = 0;
        double weighted = 0;
        for (int i = 0; i < u.length; i++) {
            sum += u[i];
            weighted += u[i] * i;
            cumulative[i] = sum;
        }
        mean = weighted * unit;
        atBound = withService(u)[u.length - 1];
    }

    @Override
    public String name() {
        return "GI/GI/1 discrete";
    }

    @Override
    public double mean() {
        return mean;
    }

    /** @return share of the arrivals that leave the bound of work behind */
    public double atBound() {
        return atBound;
    }

    /** @return true if that is more than ε_d, so that the bound and not the queue determines the longest waits */
    public boolean isBounded() {
        return atBound > parameters.atBound();
    }

    /** @return D_max [s] */
    public double bound() {
        return (cumulative.length - 1) * unit;
    }

    /** @return arrivals until the shares had converged */
    public int rounds() {
        return rounds;
    }

    /** @return utilisation of the discrete times */
    public double utilisation() {
        return moment(b, 1) / moment(a, 1);
    }

    /** @return coefficient of variation of the discrete inter-arrival time */
    public double arrivalCv() {
        return cv(a);
    }

    /** @return coefficient of variation of the discrete service time */
    public double serviceCv() {
        return cv(b);
    }

    @Override
    public double within(double seconds) {
        int index = (int) Math.floor(seconds / unit * (1 + ROUNDING));
        return index >= cumulative.length ? 1 : cumulative[index];
    }

    /** Starts with a bound by the decay of the tail, and extends it until few enough arrivals meet it. */
    private double[] withinTail() {
        for (double bound = -Math.log(parameters.atBound()) / decay();; bound *= 1.25) {
            double[] u = stationary(bounded(Math.ceil(bound) + b.length));
            if (withService(u)[u.length - 1] <= parameters.atBound()) {
                return u;
            }
        }
    }

    /** @return z > 0 of a unit with E[e^{zB}] E[e^{−zA}] = 1 */
    private double decay() {
        double low = 0;
        double high = 1;
        while (exponential(b, high) * exponential(a, -high) < 1) {
            high *= 2;
            if (high > MOST_UNITS) {
                return high; // no arrival ever waits
            }
        }
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (exponential(b, middle) * exponential(a, -middle) < 1) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    private int bounded(double units) {
        if (units > MOST_UNITS) {
            throw new DataException(("The bound of the discrete queue would be %.0f units, more than %d. Take fewer "
                    + "units between arrivals, a higher ε_d, or a lower bound or utilisation.").formatted(units,
                            MOST_UNITS));
        }
        return (int) Math.max(1, units);
    }

    private double[] stationary(int most) {
        double[] u = new double[most + 1];
        u[0] = 1;
        double change = Double.MAX_VALUE;
        for (rounds = 0; change >= parameters.converged(); rounds++) {
            double[] next = afterArrival(withService(u));
            change = 0;
            for (int i = 0; i <= most; i++) {
                change = Math.max(change, Math.abs(next[i] - u[i]));
            }
            u = next;
            if (work > MOST_WORK) {
                throw new DataException(("The discrete queue did not converge within minutes: %d units, %d "
                        + "arrivals. Take fewer units between arrivals, a higher ε_c, or a lower bound or "
                        + "utilisation.").formatted(most, rounds));
            }
        }
        return u;
    }

    /** @return P(X' = k units), X' rounded up; what ε_f cuts has the longest time */
    private double[] masses(Law law) {
        double[] masses = new double[128];
        double before = 0;
        int k = 0;
        while (before <= 1 - parameters.tail()) {
            k++;
            if (k == masses.length) {
                masses = Arrays.copyOf(masses, bounded(2.0 * k));
            }
            double now = law.within(k * unit);
            masses[k] = Math.max(0, now - before);
            before = Math.max(before, now);
        }
        masses[k] += 1 - before;
        return Arrays.copyOf(masses, k + 1);
    }

    private double[] withService(double[] u) {
        int most = u.length - 1;
        double[] after = new double[u.length];
        for (int i = 0; i <= most; i++) {
            double share = u[i];
            if (share < NEGLIGIBLE) {
                continue;
            }
            int inside = Math.min(b.length, u.length - i);
            for (int k = 1; k < inside; k++) {
                after[i + k] += share * b[k];
            }
            for (int k = Math.max(1, inside); k < b.length; k++) {
                after[most] += share * b[k];
            }
            work += b.length;
        }
        return after;
    }

    private double[] afterArrival(double[] u) {
        double[] after = new double[u.length];
        for (int i = 0; i < u.length; i++) {
            double share = u[i];
            if (share < NEGLIGIBLE) {
                continue;
            }
            int inside = Math.min(a.length, i + 1);
            for (int k = 1; k < inside; k++) {
                after[i - k] += share * a[k];
            }
            for (int k = Math.max(1, inside); k < a.length; k++) {
                after[0] += share * a[k];
            }
            work += a.length;
        }
        return after;
    }

    private static double moment(double[] masses, int power) {
        double moment = 0;
        for (int k = 1; k < masses.length; k++) {
            moment += masses[k] * Math.pow(k, power);
        }
        return moment;
    }

    private static double cv(double[] masses) {
        double mean = moment(masses, 1);
        return Math.sqrt(Math.max(0, moment(masses, 2) - mean * mean)) / mean;
    }

    private static double exponential(double[] masses, double z) {
        double sum = 0;
        for (int k = 1; k < masses.length; k++) {
            sum += masses[k] * Math.exp(z * k);
        }
        return sum;
    }
}
