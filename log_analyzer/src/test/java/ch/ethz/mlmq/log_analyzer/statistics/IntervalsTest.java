package ch.ethz.mlmq.log_analyzer.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class IntervalsTest {
    private static final int TRIALS = 10_000;

    /** Fast: the trials take tens of millions of numbers. */
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
    void shouldCoverTheStandardDeviationOfIndependentDataAsOftenAsPromised() {
        double covered = coverage(() -> {
            double[] sample = normal(20, 5, 2);
            return Intervals.ofStandardDeviation(sample.length, Math.sqrt(variance(sample)), 0.95).contains(2);
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
    void shouldStayAboveNinetyPerCentForCorrelatedDataByBatchMeans() {
        double covered = coverage(() ->
                BatchMeans.of(correlated(2_000, 0.9), BatchMeans.BATCHES).interval(0.95).contains(0));

        assertThat(covered).isBetween(0.90, 0.96);
    }

    /** The way in which the analyzer does it: batches of equal time, with as many durations as there happen to be. */
    @Test
    void shouldStayAboveNinetyPerCentForCorrelatedDurationsInBatchesOfTime() {
        double covered = coverage(() -> {
            double[] deviations = correlated(2_000, 0.9);
            Series series = new Series(250);
            int slot = 0;
            for (double deviation : deviations) {
                slot += random.nextInt(10) == 0 ? 1 : 0;
                series.add(slot, Math.round(1_000 + 50 * deviation), 1);
            }
            return BatchMeans.ofDurations(series, 0, series.slots()).interval(0.95).contains(1_000);
        });

        assertThat(covered).isBetween(0.90, 0.96);
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
        Interval stddev = Intervals.ofStandardDeviation(16, 8, 0.95);

        assertThat(mean.high() - 100).isCloseTo(2.131450 * 2, within(1e-4));
        assertThat(stddev.low()).isCloseTo(Math.sqrt(15 * 64 / 27.48839), within(1e-4));
        assertThat(stddev.high()).isCloseTo(Math.sqrt(15 * 64 / 6.262138), within(1e-4));
    }

    @Test
    void shouldHoldForMillionsOfObservations() {
        Interval stddev = Intervals.ofStandardDeviation(20_000_001, 10, 0.95);

        assertThat(stddev.low()).isCloseTo(10 * (1 - 1.959964 / Math.sqrt(2 * 2e7)), within(1e-5));
        assertThat(stddev.high()).isCloseTo(10 * (1 + 1.959964 / Math.sqrt(2 * 2e7)), within(1e-5));
    }

    @Test
    void shouldSayNothingOfASingleObservation() {
        assertThat(Intervals.ofMean(1, 3, Double.NaN, 0.95)).isEqualTo(Interval.UNKNOWN);
        assertThat(Intervals.ofStandardDeviation(1, Double.NaN, 0.95)).isEqualTo(Interval.UNKNOWN);
    }

    @Test
    void shouldCoverAQuantileByBootstrapAboutAsOftenAsPromised() {
        int trials = 500;
        int covered = 0;
        for (int i = 0; i < trials; i++) {
            int[] values = random.ints(400, 0, 1_000_000).toArray();
            Bootstrap.Sample sample = new Bootstrap.Sample(Distribution.of(values), values.length);
            covered += Bootstrap.of(sample, 90, 0.95).contains(900_000) ? 1 : 0;
        }

        assertThat((double) covered / trials).isBetween(0.91, 0.98);
    }

    /** Something that holds or not. */
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
