package ch.ethz.mlmq.log_analyzer.model.waiting;

import ch.ethz.mlmq.log_analyzer.errors.DataException;
import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import java.util.Arrays;

/** A distribution of a finite number of times, such as measured ones. */
public final class DiscreteLaw implements Law {
    private static final double US_PER_SECOND = 1e6;
    /** Part of a time by which rounding may have made it shorter. */
    private static final double ROUNDING = 1e-12;

    private final double[] times;
    private final double[] probabilities;
    /** P(X ≤ t), and E[X; X ≤ t], of each of the times. */
    private final double[] within;
    private final double[] weighted;

    /** @param times [s], ascending @param probabilities of each, with the sum 1 */
    public DiscreteLaw(double[] times, double[] probabilities) {
        this.times = times;
        this.probabilities = probabilities;
        within = new double[times.length];
        weighted = new double[times.length];
        double sum = 0;
        double mean = 0;
        for (int i = 0; i < times.length; i++) {
            sum += probabilities[i];
            mean += probabilities[i] * times[i];
            within[i] = sum;
            weighted[i] = mean;
        }
        if (!(mean > 0)) {
            throw new DataException("All service times are zero.");
        }
    }

    /** @return the distribution of measured times */
    public static DiscreteLaw measured(Distribution durations) {
        double[] times = new double[durations.distinct()];
        double[] shares = new double[times.length];
        for (int i = 0; i < times.length; i++) {
            times[i] = durations.value(i) / US_PER_SECOND;
            shares[i] = (double) durations.countAt(i) / durations.count();
        }
        return new DiscreteLaw(times, shares);
    }

    @Override
    public double moment(int k) {
        double moment = 0;
        for (int i = 0; i < times.length; i++) {
            moment += probabilities[i] * Math.pow(times[i], k);
        }
        return moment;
    }

    @Override
    public double within(double seconds) {
        int last = last(seconds);
        return last < 0 ? 0 : within[last];
    }

    @Override
    public double residual(double seconds) {
        if (seconds <= 0) {
            return 0;
        }
        int last = last(seconds);
        double mean = weighted[times.length - 1];
        if (last == times.length - 1) {
            return 1;
        }
        return last < 0 ? seconds / mean : (weighted[last] + seconds * (1 - within[last])) / mean;
    }

    @Override
    public double exponentialMoment(double eta) {
        double moment = 0;
        for (int i = 0; i < times.length; i++) {
            moment += probabilities[i] * Math.exp(eta * times[i]);
        }
        return moment;
    }

    /** @return index of the longest time that is not over this one, -1 if there is none */
    private int last(double seconds) {
        int found = Arrays.binarySearch(times, seconds * (1 + ROUNDING));
        return found >= 0 ? found : -found - 2;
    }
}
