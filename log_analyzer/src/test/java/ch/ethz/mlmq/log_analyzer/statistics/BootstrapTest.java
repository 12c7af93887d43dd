package ch.ethz.mlmq.log_analyzer.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BootstrapTest {
    private static final int SLOTS = 80;

    private final SplittableRandom random = new SplittableRandom(7);

    @Test
    void shouldSayNothingOfWhatRestsOnTooFewObservations() {
        Bootstrap.Sample one = sample(new int[] {5});
        Bootstrap.Sample many = sample(random.ints(20_000, 0, 1_000_000).toArray());

        assertThat(Bootstrap.ofDifference(many, one, 99, 0.95)).isEqualTo(Interval.unknown(Doubt.FEW));
        assertThat(Bootstrap.of(many, 99.99, 0.95)).isEqualTo(Interval.unknown(Doubt.FEW));
        assertThat(Bootstrap.of(many, 95, 0.95).contains(950_000)).isTrue();
    }

    @Test
    void shouldTellAPercentileBeyondWhichTenRequestsLieFarApart() {
        assertThat(Bootstrap.of(sample(random.ints(1_000, 4_000, 6_000).toArray()), 99, 0.95).isKnown()).isTrue();
    }

    @Test
    void shouldSayNothingOfAPercentileThatOneStallDecides() {
        int[] durations = random.ints(20_000, 500, 1_500).toArray();
        Arrays.fill(durations, 10_000, 10_300, 300_000);

        assertThat(Bootstrap.of(sample(durations), 99, 0.95)).isEqualTo(Interval.unknown(Doubt.FEW));
        assertThat(Bootstrap.of(sample(durations), 50, 0.95).contains(1_000)).isTrue();
    }

    @Test
    void shouldSayThatAPercentileIsStillCorrelatedWhereTheRunDrifts() {
        int[] durations = new int[20_000];
        Arrays.setAll(durations, i -> 1_000 + i + random.nextInt(1_000));

        assertThat(Bootstrap.of(sample(durations), 50, 0.95)).isEqualTo(Interval.unknown(Doubt.CORRELATED));
    }

    @Test
    void shouldCoverHighPercentilesOfRequestsWhoseLevelLastsForATwentiethOfTheRun() {
        Distribution all = Distribution.of(random.ints(1_000_000, 0, 1).map(zero -> slow(random.nextGaussian()))
                .toArray());
        for (int percent : new int[] {95, 99}) {
            int told = 0;
            int held = 0;
            for (int run = 0; run < 200; run++) {
                int[] durations = new int[20_000];
                double level = random.nextGaussian();
                for (int i = 0; i < durations.length; i++) {
                    level = 0.999 * level + Math.sqrt(1 - 0.999 * 0.999) * random.nextGaussian();
                    durations[i] = slow(level);
                }
                Interval interval = Bootstrap.of(sample(durations), percent, 0.95);
                told += interval.isKnown() ? 1 : 0;
                held += interval.contains(all.percentile(percent)) ? 1 : 0;
            }

            assertThat(told).as("p%d", percent).isGreaterThan(180);
            assertThat((double) held / told).as("p%d", percent).isGreaterThan(0.9);
        }
    }

    @Test
    void shouldCoverAPercentileOfIndependentRequestsAsOftenAsPromised() {
        int held = 0;
        for (int run = 0; run < 300; run++) {
            held += Bootstrap.of(sample(random.ints(4_000, 0, 1_000_000).toArray()), 90, 0.95).contains(900_000)
                    ? 1 : 0;
        }

        assertThat(held).isBetween(280, 299);
    }

    @Test
    void shouldTellAFiniteErrorOfAPercentileNearTheFailedRequests() {
        int[] durations = random.ints(20_000, 500, 1_500).toArray();
        Slices failed = new Slices();
        for (int slot = 0; slot < SLOTS; slot++) {
            failed.set(slot, Distribution.of(random.ints(2 + slot % 2, 0, 9).toArray()));
        }
        Slices slices = slices(durations);
        slices.addBeyond(failed);
        Bootstrap.Sample sample = new Bootstrap.Sample(Distribution.of(durations).withBeyond(200), slices, true);

        assertThat(Bootstrap.of(sample, 99, 0.95).high()).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(Bootstrap.errorOf(sample, 99)).isBetween(0.1, 100.0);
        assertThat(Bootstrap.errorOf(sample, 99.9)).isZero();
    }

    @Test
    void shouldTellEqualRepetitionsApartNoBetterThanEachOfThem() {
        Estimate mean = Estimate.ofMean(new double[] {20, 20}, new double[] {6, 8});

        assertThat(mean.error()).isEqualTo(5);
        assertThat(mean.degreesOfFreedom()).isEqualTo(1);
        assertThat(Estimate.ofMean(new double[] {10, 30}, new double[] {6, 8}).error()).isEqualTo(10);
    }

    private int slow(double level) {
        return (int) (-2_000 * Math.exp(0.4 * level) * Math.log(1 - random.nextDouble()));
    }

    /** @param durations in the order of time */
    private static Bootstrap.Sample sample(int[] durations) {
        return new Bootstrap.Sample(Distribution.of(durations), slices(durations), true);
    }

    private static Slices slices(int[] durations) {
        Slices slices = new Slices();
        for (int slot = 0; slot < SLOTS; slot++) {
            slices.set(slot, Distribution.of(Arrays.copyOfRange(durations, durations.length * slot / SLOTS,
                    durations.length * (slot + 1) / SLOTS)));
        }
        return slices;
    }
}
