package ch.ethz.mlmq.calibration;

import ch.ethz.mlmq.json.JsonObject;
import java.util.Arrays;

/** Times of one operation that was repeated. */
public final class Times {
    private static final double NS_PER_US = 1_000;
    private static final double MEDIAN = 0.5;
    private static final double P99 = 0.99;

    private final long[] sorted;

    /** @param nanos one time for each repetition, at least one */
    Times(long[] nanos) {
        if (nanos.length == 0) {
            throw new IllegalArgumentException("nothing was timed");
        }
        sorted = nanos.clone();
        Arrays.sort(sorted);
    }

    public int count() {
        return sorted.length;
    }

    /** @return us */
    public double median() {
        return percentile(MEDIAN);
    }

    /** @return us; of fewer than 100 repetitions the longest */
    public double p99() {
        return percentile(P99);
    }

    /** @return median and p99 [us], and count */
    public JsonObject toJson() {
        return new JsonObject().put("median_us", median()).put("p99_us", p99()).put("count", count());
    }

    private double percentile(double share) {
        return sorted[(int) Math.ceil(share * sorted.length) - 1] / NS_PER_US;
    }
}
