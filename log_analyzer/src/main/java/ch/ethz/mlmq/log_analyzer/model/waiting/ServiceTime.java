package ch.ethz.mlmq.log_analyzer.model.waiting;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;

/**
 * The first three raw moments of a service time, which determine the first two of the waiting time.
 *
 * @param first  E[B] [s]
 * @param second E[B²] [s²]
 * @param third  E[B³] [s³]
 */
public record ServiceTime(double first, double second, double third) {
    private static final double US_PER_SECOND = 1e6;
    private static final double ROUNDING = 1e-9;

    /** @return a constant service time */
    public static ServiceTime constant(double seconds) {
        return new ServiceTime(seconds, seconds * seconds, seconds * seconds * seconds);
    }

    /**
     * Makes a gamma distributed service time: E[B^k] of shape 1/c² (A. M. Law, <i>Simulation Modeling and Analysis</i>,
     * section 6.2.2).
     *
     * @param seconds mean
     * @param cv      coefficient of variation c; 0 for constant, 1 for exponential
     */
    public static ServiceTime gamma(double seconds, double cv) {
        double squared = cv * cv;
        double second = seconds * seconds * (1 + squared);
        return new ServiceTime(seconds, second, second * seconds * (1 + 2 * squared));
    }

    /** @return the moments of measured times */
    public static ServiceTime measured(Distribution durations) {
        double first = 0;
        double second = 0;
        double third = 0;
        for (int i = 0; i < durations.distinct(); i++) {
            double share = (double) durations.countAt(i) / durations.count();
            double seconds = durations.value(i) / US_PER_SECOND;
            first += share * seconds;
            second += share * seconds * seconds;
            third += share * seconds * seconds * seconds;
        }
        if (!(first > 0)) {
            throw new DataException("The measured service times are all zero.");
        }
        return new ServiceTime(first, second, third);
    }

    /**
     * Makes the service time of a broker that sends R copies: B = D + R t_tx. Henjes (5.33)–(5.35); the printed (5.34)
     * lacks the factor 2.
     *
     * @param fixed D: receiving and filtering [s]
     * @param send  t_tx, of one copy [s]
     */
    public static ServiceTime of(double fixed, double send, Copies copies) {
        double first = fixed + copies.first() * send;
        double second = fixed * fixed + 2 * fixed * send * copies.first() + send * send * copies.second();
        double third = fixed * fixed * fixed + 3 * fixed * fixed * send * copies.first()
                + 3 * fixed * send * send * copies.second() + send * send * send * copies.third();
        return new ServiceTime(first, second, third);
    }

    /** @return σ/E[B] (5.36) */
    public double cv() {
        double variance = second - first * first;
        return variance <= ROUNDING * second ? 0 : Math.sqrt(variance) / first;
    }

    /** @return utilisation of the server; arrivals in 1/s */
    public double utilisation(double rate) {
        return rate * first;
    }
}
