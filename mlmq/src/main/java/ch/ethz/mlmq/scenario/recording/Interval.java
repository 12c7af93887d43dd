package ch.ethz.mlmq.scenario.recording;

/**
 * The results of one interval. Failed requests count as errors and have no time here.
 *
 * @param startMillis  of the interval [ms UTC]
 * @param endMillis    of the interval [ms UTC]
 * @param response     times of the requests that got their response in it [us]
 * @param endToEnd     times of the messages that were received in it, from the intended start of their sending [us]
 * @param acknowledged the same of those that were acknowledged in it [us]
 */
public record Interval(long startMillis, long endMillis, TimeSummary response, TimeSummary endToEnd,
        TimeSummary acknowledged) {
    private static final double MILLIS = 1e3;

    /** @return requests that got their response, per second [1/s] */
    public double rate() {
        return response.count() * MILLIS / Math.max(1, endMillis - startMillis);
    }
}
