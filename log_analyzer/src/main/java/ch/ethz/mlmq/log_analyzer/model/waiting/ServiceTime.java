package ch.ethz.mlmq.log_analyzer.model.waiting;

/**
 * The first three raw moments of a service time, which determine the first two of the waiting time.
 *
 * @param first  E[B] [s]
 * @param second E[B²] [s²]
 * @param third  E[B³] [s³]
 */
public record ServiceTime(double first, double second, double third) {
    private static final double ROUNDING = 1e-9;

    /** @return the moments of a distribution */
    public static ServiceTime of(Law law) {
        return new ServiceTime(law.moment(1), law.moment(2), law.moment(3));
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
