package ch.ethz.mlmq.log_analyzer.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests runs of 40 s in quarter seconds, whose level is an AR(1) process in time. */
class CorrelatedMeanTest {
    private static final int RUNS = 1_000;
    private static final int SLOTS = 160;
    private static final double SLOT = 0.25; // s

    private final SplittableRandom random = new SplittableRandom(42);

    @Test
    void shouldCoverTheMeanOfWhatLastsForSeconds() {
        for (double constant : new double[] {0.1, 0.5, 1, 2, 5, 10}) {
            int told = 0;
            int held = 0;
            for (int run = 0; run < RUNS; run++) {
                Interval interval = meanOfARun(constant).interval(0.95);
                told += interval.isKnown() ? 1 : 0;
                held += interval.contains(1_000) ? 1 : 0;
            }
            assertThat((double) held / told).as("constant %s s", constant).isBetween(0.92, 0.999);
            assertThat(told).as("constant %s s", constant).isGreaterThan(RUNS * 9 / 10);
        }
    }

    @Test
    void shouldSayThatARunIsStillCorrelatedWhereItDrifts() {
        double[] values = new double[SLOTS];
        Arrays.setAll(values, i -> 1_000 + 2 * i + random.nextGaussian());

        assertThat(CorrelatedMean.of(values).doubt()).isEqualTo(Doubt.CORRELATED);
    }

    @Test
    void shouldGiveNoIntervalToAMeanThatAFewStallsDecide() {
        Series series = new Series(250);
        Series often = new Series(250);
        for (int slot = 0; slot < SLOTS; slot++) {
            for (int i = 0; i < 100; i++) {
                series.add(slot, slot == 40 || slot == 90 ? 200_000 : 1_000 + i, 1);
                often.add(slot, slot % 13 == 5 ? 200_000 : 1_000 + i, 1);
            }
        }

        assertThat(CorrelatedMean.ofDurations(series, 0, SLOTS).doubt()).isEqualTo(Doubt.FEW);
        assertThat(CorrelatedMean.ofDurations(often, 0, SLOTS).hasError()).isTrue();
    }

    @Test
    void shouldBeLessSureOfAShareThatAFewOutagesDecide() {
        double[] one = new double[SLOTS];
        one[70] = 1;
        double[] ten = new double[SLOTS];
        for (int slot : new int[] {3, 17, 31, 40, 66, 71, 95, 108, 129, 152}) {
            ten[slot] = 1;
        }

        assertThat(CorrelatedMean.of(one).degreesOfFreedom()).isLessThan(2);
        assertThat(CorrelatedMean.of(ten).degreesOfFreedom()).isGreaterThan(3);
    }

    /**
     * The interval is about as wide as the usual one for independent observations: 1.96 standard errors, and a third
     * more.
     */
    @Test
    void shouldNotBeMuchLessSureOfIndependentObservations() {
        double[] widths = new double[RUNS];
        for (int run = 0; run < RUNS; run++) {
            Interval interval = CorrelatedMean.of(random.doubles(SLOTS).map(unused -> random.nextGaussian()).toArray())
                    .interval(0.95);
            widths[run] = (interval.high() - interval.low()) / 2 * Math.sqrt(SLOTS);
        }

        assertThat(Arrays.stream(widths).average().orElseThrow()).isBetween(2.2, 2.8);
    }

    @Test
    void shouldSayThatAFewSlotsAreTooFew() {
        double[] values = {5, 3, 4, 6, 5, 4, 5, 6, 4};

        assertThat(CorrelatedMean.of(values).doubt()).isEqualTo(Doubt.FEW);
        assertThat(CorrelatedMean.of(values).value()).isEqualTo(Arrays.stream(values).average().orElseThrow());
    }

    @Test
    void shouldKnowExactlyWhatNeverChanges() {
        double[] values = new double[20];
        Arrays.fill(values, 7);

        assertThat(CorrelatedMean.of(values).interval(0.95)).isEqualTo(new Interval(7, 7));
    }

    @Test
    void shouldTakeTheRatioOverSlotsInWhichSomethingHappened() {
        double[] parts = new double[200];
        double[] wholes = new double[200];
        for (int slot = 0; slot < 200; slot += 2) {
            wholes[slot] = 10;
            parts[slot] = 50 + random.nextInt(10);
        }

        Estimate ratio = CorrelatedMean.ofRatio(parts, wholes);

        assertThat(ratio.value()).isBetween(5.3, 5.6);
        assertThat(ratio.error()).isBetween(0.01, 0.06);
    }

    /** @param constant in which the level is forgotten [s] */
    private Estimate meanOfARun(double constant) {
        Series series = new Series(Math.round(SLOT * 1_000));
        double kept = Math.exp(-SLOT / constant);
        double level = random.nextGaussian();
        for (int slot = 0; slot < SLOTS; slot++) {
            level = kept * level + Math.sqrt(1 - kept * kept) * random.nextGaussian();
            series.add(slot, Math.round(100_000 + 20_000 * level), 100);
        }
        return CorrelatedMean.ofDurations(series, 0, SLOTS);
    }
}
