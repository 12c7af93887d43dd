package ch.ethz.mlmq.log_analyzer.model;

/**
 * Costs of a message in a broker, in seconds: B = t_rcv + n^e t_fltr + n_diff t_diff + r t_tx. Henjes (4.9); (4.10)
 * with different filters; (4.11) with the exponent 1.5; (4.12) with components times filters as n.
 *
 * @param receive   t_rcv, of each message
 * @param filter    t_fltr, of each filter
 * @param different t_diff, additional time of each different filter
 * @param send      t_tx, of each copy
 * @param exponent  e of the number of filters, 1 or 1.5
 */
public record BrokerCosts(double receive, double filter, double different, double send, double exponent) {

    /** @return E[B] [s] with these numbers of filters and different filters, and these copies on average (5.33) */
    public double serviceTime(double filters, double differentFilters, double copies) {
        return filtering(filters, differentFilters) + copies * send;
    }

    /** @return the part that does not depend on the copies: D of (5.33) [s] */
    public double filtering(double filters, double differentFilters) {
        return receive + Math.pow(filters, exponent) * filter + differentFilters * different;
    }

    /** @return highest rate [1/s] of received messages at this utilisation (5.31) */
    public double capacity(double utilisation, double filters, double differentFilters, double copies) {
        return utilisation / serviceTime(filters, differentFilters, copies);
    }

    /**
     * Computes the break-even share: filters of a consumer raise the capacity if it wants less than this share of the
     * messages (5.32). If filters have the same cost, this holds for each filter.
     *
     * @param filters of that consumer
     * @return 1 − n t_fltr / t_tx; below 0 if filters never pay
     */
    public double breakEvenShare(double filters) {
        return 1 - filters * filter / send;
    }

    /**
     * @return largest number of filters that pay if they save this number of copies down to one: (R₀ − 1) t_tx / t_fltr
     */
    public double breakEvenFilters(double copies) {
        return (copies - 1) * send / filter;
    }
}
