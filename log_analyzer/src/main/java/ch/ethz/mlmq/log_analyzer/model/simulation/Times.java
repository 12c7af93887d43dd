package ch.ethz.mlmq.log_analyzer.model.simulation;

import ch.ethz.mlmq.log_analyzer.statistics.Distribution;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.commons.math3.distribution.GammaDistribution;

/**
 * Random times from a table of equally likely ones; look-ups make a simulation fast. The mean is preserved; the far
 * tail (one in {@value #CELLS}) is one time.
 */
public final class Times {
    private static final int CELLS = 1 << 14;

    private final double[] table;

    private Times(double[] table, double mean) {
        double sum = 0;
        for (double each : table) {
            sum += each;
        }
        for (int i = 0; i < table.length; i++) {
            table[i] *= sum > 0 ? mean * table.length / sum : 0;
        }
        this.table = table;
    }

    /** @return gamma distributed times; cv 0: always the mean, 1: exponential @param mean [s] */
    public static Times gamma(double mean, double cv) {
        if (cv == 0 || mean == 0) {
            return new Times(new double[] {mean}, mean);
        }
        double[] table = new double[CELLS];
        if (cv == 1) {
            // The mean of a part of the distribution between its ends a and b is a e^-a − b e^-b + e^-a − e^-b over its
            // share.
            double before = 1;
            for (int i = 0; i < CELLS; i++) {
                double tail = 1 - (i + 1.0) / CELLS;
                double low = -Math.log(before);
                double part = before * (low + 1) - (tail > 0 ? tail * (1 - Math.log(tail)) : 0);
                table[i] = part * CELLS;
                before = tail;
            }
            return new Times(table, mean);
        }
        GammaDistribution gamma = new GammaDistribution(1 / (cv * cv), mean * cv * cv);
        for (int i = 0; i < CELLS; i++) {
            table[i] = gamma.inverseCumulativeProbability((i + 0.5) / CELLS);
        }
        return new Times(table, mean);
    }

    /**
     * @param measured times in any unit; each cell of the table is the mean of its share of them
     * @param mean     to which they are scaled [s]
     */
    public static Times measured(Distribution measured, double mean) {
        if (measured.count() == 0 || mean == 0) {
            return gamma(mean, 1);
        }
        double[] values = new double[measured.distinct()];
        double[] weights = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = measured.value(i);
            weights[i] = measured.countAt(i);
        }
        return weighted(values, weights, mean);
    }

    /**
     * @param values  ascending, in any unit; each cell of the table is the mean of its share of them
     * @param weights frequency of each value
     * @param mean    to which they are scaled [s]
     */
    public static Times weighted(double[] values, double[] weights, double mean) {
        double[] table = new double[CELLS];
        double perCell = Arrays.stream(weights).sum() / CELLS;
        int value = 0;
        double left = weights[0];
        for (int i = 0; i < CELLS; i++) {
            double wanted = perCell;
            double sum = 0;
            while (wanted > left && value < values.length - 1) {
                sum += left * values[value];
                wanted -= left;
                left = weights[++value];
            }
            sum += wanted * values[value];
            left -= wanted;
            table[i] = sum / perCell;
        }
        return new Times(table, mean);
    }

    public double mean() {
        double sum = 0;
        for (double each : table) {
            sum += each;
        }
        return sum / table.length;
    }

    double next(SplittableRandom random) {
        return table.length == 1 ? table[0] : table[random.nextInt() & CELLS - 1];
    }
}
