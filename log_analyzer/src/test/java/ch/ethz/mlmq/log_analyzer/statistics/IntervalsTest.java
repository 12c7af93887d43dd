package ch.ethz.mlmq.log_analyzer.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class IntervalsTest {
    private static final int TRIALS = 10_000;

    /** A fast generator, because the trials need tens of millions of numbers. */
    private final RandomGenerator random = new SplittableRandom(42);

    @Test
    void shouldCoverTheMeanOfIndependentDataAsOftenAsPromised() {
        double covered = coverage(() -> {
            double[] sample = normal(20, 5, 2);
            double stddev = Math.sqrt(variance(sample));
            return Intervals.ofMean(sample.length, mean(sample), stddev, 0.95).contains(5);
        });

        assertThat(covered).isBetween(0.94, 0.96);
    }

    @Test
    void shouldCoverADifferenceOfMeansByWelchAsOftenAsPromised() {
        double covered = coverage(() -> {
            Estimate few = Estimate.ofMean(normal(5, 10, 3));
            Estimate many = Estimate.ofMean(normal(12, 7, 1));
            return few.minus(many).interval(0.95).contains(3);
        });

        assertThat(covered).isBetween(0.94, 0.96);
    }

    @Test
    void shouldFailForCorrelatedDataByStudentAlone() {
        double covered = coverage(() -> {
            double[] sample = correlated(2_000, 0.9);
            return Intervals.ofMean(sample.length, mean(sample), Math.sqrt(variance(sample)), 0.95).contains(0);
        });

        assertThat(covered).isLessThan(0.5);
    }

    @Test
    void shouldGiveTheTextbookQuantiles() {
        Interval mean = Intervals.ofMean(16, 100, 8, 0.95);

        assertThat(mean.high() - 100).isCloseTo(2.131450 * 2, within(1e-4));
    }

    @Test
    void shouldSayNothingOfASingleObservation() {
        assertThat(Intervals.ofMean(1, 3, Double.NaN, 0.95)).isEqualTo(Interval.UNKNOWN);
    }

    /** A trial with a true or false outcome. */
    private interface Trial {
        boolean holds();
    }

    private static double coverage(Trial trial) {
        int covered = 0;
        for (int i = 0; i < TRIALS; i++) {
            covered += trial.holds() ? 1 : 0;
        }
        return (double) covered / TRIALS;
    }

    private double[] normal(int count, double mean, double stddev) {
        return random.doubles(count).map(unused -> mean + stddev * random.nextGaussian()).toArray();
    }

    /** An AR(1) process of mean 0, begun in its steady state. */
    private double[] correlated(int count, double coefficient) {
        double[] values = new double[count];
        double value = random.nextGaussian() / Math.sqrt(1 - coefficient * coefficient);
        for (int i = 0; i < count; i++) {
            value = coefficient * value + random.nextGaussian();
            values[i] = value;
        }
        return values;
    }

    private static double mean(double[] sample) {
        return Arrays.stream(sample).average().orElseThrow();
    }

    private static double variance(double[] sample) {
        double mean = mean(sample);
        return Arrays.stream(sample).map(x -> (x - mean) * (x - mean)).sum() / (sample.length - 1);
    }
}
