package ch.ethz.mlmq.log_analyzer.model;

/**
 * What a message costs a broker, in seconds: B = t_rcv + n^e t_fltr + n_diff t_diff + r t_tx. Henjes (4.9); (4.10) with
 * different filters; (4.11) with the exponent 1.5; (4.12) with components times filters as n.
 *
 * @param receive   t_rcv, of each message
 * @param filter    t_fltr, of each filter
 * @param different t_diff, of each different filter besides
 * @param send      t_tx, of each copy
 * @param exponent  e of the number of filters, 1 or 1.5
 */
public record BrokerCosts(double receive, double filter, double different, double send, double exponent) {

    /** @return E[B] [s] with so many filters, different filters, and copies on average (5.33) */
    public double serviceTime(double filters, double differentFilters, double copies) {
        return filtering(filters, differentFilters) + copies * send;
    }

    /** @return what does not depend on the copies: D of (5.33) [s] */
    public double filtering(double filters, double differentFilters) {
        return receive + Math.pow(filters, exponent) * filter + differentFilters * different;
    }

    /** @return highest rate [1/s] of received messages at this utilisation (5.31) */
    public double capacity(double utilisation, double filters, double differentFilters, double copies) {
        return utilisation / serviceTime(filters, differentFilters, copies);
    }

    /**
     * Filters of a consumer raise the capacity where it wants less than this share of the messages (5.32); for filters
     * that cost alike, each.
     *
     * @param filters of that consumer
     * @return 1 − n t_fltr / t_tx; below 0 where filters never pay
     */
    public double breakEvenShare(double filters) {
        return 1 - filters * filter / send;
    }

    /** @return up to how many filters pay that make one copy of so many: (R₀ − 1) t_tx / t_fltr */
    public double breakEvenFilters(double copies) {
        return (copies - 1) * send / filter;
    }
}
