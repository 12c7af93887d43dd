package ch.ethz.mlmq.scenario.recording;

import org.HdrHistogram.Histogram;

/**
 * Statistics of a distribution of times [us].
 *
 * @param count of times
 * @param mean  0 if there is none, like the others
 */
public record TimeSummary(long count, double mean, long p50, long p99, long max) {

    /** @return the statistics of a histogram of times [us] */
    public static TimeSummary of(Histogram histogram) {
        return histogram.getTotalCount() == 0 ? new TimeSummary(0, 0, 0, 0, 0)
                : new TimeSummary(histogram.getTotalCount(), histogram.getMean(), histogram.getValueAtPercentile(50),
                        histogram.getValueAtPercentile(99), histogram.getMaxValue());
    }
}
