package ch.ethz.mlmq.scenario.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.scenario.workload.Seeds;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ArrivalTimesTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void shouldSpaceFixedArrivalsEvenlyFromTheStart() {
        ArrivalTimes arrivals = ArrivalTimes.fixed(new RatePlan.Constant(4), 0);

        assertThat(take(arrivals, 5)).containsExactly(0, SECOND / 4, SECOND / 2, 3 * SECOND / 4, SECOND);
    }

    @Test
    void shouldNotDriftAtARateWhoseGapIsNoWholeNumberOfNanoseconds() {
        ArrivalTimes arrivals = ArrivalTimes.fixed(new RatePlan.Constant(7), 0);

        long[] times = take(arrivals, 7 * 3600 + 1);

        assertThat(times[7 * 3600]).isEqualTo(3600 * SECOND);
    }

    @Test
    void shouldMakePoissonGapsThatPassAKolmogorovSmirnovTest() {
        double rate = 5_000;
        long[] times = take(ArrivalTimes.poisson(new RatePlan.Constant(rate), Seeds.generator(1, 0, -1)), 100_001);
        double[] gaps = new double[100_000];
        for (int i = 0; i < gaps.length; i++) {
            gaps[i] = (times[i + 1] - times[i]) / 1e9;
        }

        assertThat(kolmogorovSmirnov(gaps, rate) * Math.sqrt(gaps.length)).as("critical value for alpha 1 %")
                .isLessThan(1.63);
    }

    @Test
    void shouldFailTheKolmogorovSmirnovTestWithGapsThatAreNotExponential() {
        double[] even = new double[1_000];
        Arrays.fill(even, 1 / 5_000.0);

        assertThat(kolmogorovSmirnov(even, 5_000) * Math.sqrt(even.length)).isGreaterThan(1.63);
    }

    @Test
    void shouldBringTheArrivalsUnderTheLineOfARamp() {
        RatePlan ramp = new RatePlan.Ramp(100, 2_000, 10);
        ArrivalTimes arrivals = ArrivalTimes.fixed(ramp, 0);

        long[] times = take(arrivals, 10_501);

        assertThat(times[10_500]).as("(100 + 2000) / 2 * 10 s").isEqualTo(10 * SECOND);
        assertThat(countUntil(times, SECOND)).as("first second: 100 + 190 / 2").isBetween(195, 196);
        assertThat(arrivals.rateAt(5 * SECOND)).isEqualTo(1_050, within(1e-9));
        assertThat(ramp.rateAt(11)).isEqualTo(2_000);
        assertThat(ramp.secondsUntil(10_500 + 2_000)).isEqualTo(11, within(1e-9));
    }

    @Test
    void shouldPlanTheArrivalsOfEachPhase() {
        RatePlan plan = phases(100, 2, 0, 3, 1_000, 1, 10, Double.POSITIVE_INFINITY);
        ArrivalTimes arrivals = ArrivalTimes.fixed(plan, 0);
        long[] times = take(arrivals, 1_300);

        assertThat(Arrays.stream(times).filter(time -> time < 2 * SECOND)).hasSize(200);
        assertThat(Arrays.stream(times).filter(time -> time >= 2 * SECOND && time < 5 * SECOND)).isEmpty();
        assertThat(Arrays.stream(times).filter(time -> time >= 5 * SECOND && time < 6 * SECOND)).hasSize(1_000);
        assertThat(times[200]).isEqualTo(5 * SECOND);
        assertThat(times[1_299]).isEqualTo(6 * SECOND + 9_900_000_000L);
        assertThat(arrivals.planned(7 * SECOND)).isEqualTo(1_210, within(1e-6));
        assertThat(plan.rateAt(5.5)).isEqualTo(1_000);
        assertThat(plan.rateAt(2)).isZero();
    }

    @Test
    void shouldGoOnWithAPhaseWhereItIsAfterAPause() {
        assertThat(phases(100, 2, 0, 3, 50, Double.POSITIVE_INFINITY).rest(1.5, 2))
                .isEqualTo(phases(200, 0.5, 0, 3, 100, Double.POSITIVE_INFINITY));
        assertThat(phases(100, 2, 0, 3, 50, Double.POSITIVE_INFINITY).rest(2, 1))
                .isEqualTo(phases(0, 3, 50, Double.POSITIVE_INFINITY));
        assertThat(phases(100, 2, 50, Double.POSITIVE_INFINITY).rest(99, 1))
                .isEqualTo(phases(50, Double.POSITIVE_INFINITY));
    }

    private static RatePlan phases(double... ratesAndSeconds) {
        return new RatePlan.Phases(IntStream.range(0, ratesAndSeconds.length / 2).mapToObj(i ->
                new RatePlan.Phases.Part(ratesAndSeconds[2 * i], ratesAndSeconds[2 * i + 1])).toList());
    }

    @Test
    void shouldRampDownAsWell() {
        assertThat(new RatePlan.Ramp(2_000, 100, 10).secondsUntil(10_500)).isEqualTo(10, within(1e-9));
    }

    @Test
    void shouldGoOnFromNowWhereTheRateIsReplaced() {
        ArrivalTimes arrivals = ArrivalTimes.fixed(new RatePlan.Constant(1), 0);

        take(arrivals, 6);
        arrivals.replan(new RatePlan.Constant(10), 5 * SECOND + SECOND / 2);

        assertThat(take(arrivals, 2)).as("half of a distance was over").containsExactly(
                5 * SECOND + 55 * SECOND / 100, 5 * SECOND + 65 * SECOND / 100);
    }

    @Test
    void shouldGoOnWithARampWhereItIsAfterAPause() {
        ArrivalTimes arrivals = ArrivalTimes.fixed(new RatePlan.Ramp(100, 2_000, 10), 0);

        arrivals.goOn(2, 5 * SECOND);

        assertThat(arrivals.rateAt(5 * SECOND)).as("1050 doubled").isEqualTo(2_100, within(1e-6));
        assertThat(arrivals.rateAt(20 * SECOND)).isEqualTo(4_000);
        arrivals.goOn(0.5, 20 * SECOND);
        assertThat(arrivals.rateAt(20 * SECOND)).isEqualTo(2_000);
    }

    @Test
    void shouldPlanNothingForAPause() {
        ArrivalTimes arrivals = ArrivalTimes.fixed(new RatePlan.Constant(100), 0);

        arrivals.pause(10 * SECOND);
        assertThat(arrivals.planned(15 * SECOND)).isEqualTo(1_000, within(1e-6));
        arrivals.replan(new RatePlan.Constant(50), 15 * SECOND);
        arrivals.resume(20 * SECOND);

        assertThat(arrivals.planned(30 * SECOND)).isEqualTo(1_000 + 500, within(1e-6));
        assertThat(arrivals.nextNanos()).isGreaterThanOrEqualTo(20 * SECOND);
    }

    @Test
    void shouldNotHaveJvmsStartTheirRequestsInStep() {
        double[] phases = IntStream.range(0, 8).mapToDouble(position -> ArrivalTimes.fixed(
                new RatePlan.Constant(1), position).nextNanos() / (double) SECOND).sorted().toArray();

        assertThat(phases[0]).isZero();
        for (int i = 0; i < 8; i++) {
            double next = i < 7 ? phases[i + 1] : 1;
            assertThat(next - phases[i]).as("distance after %d", i).isGreaterThan(0.05);
        }
    }

    @Test
    void shouldKnowHowManyArrivalsWerePlannedThroughEveryChange() {
        ArrivalTimes arrivals = ArrivalTimes.fixed(new RatePlan.Ramp(100, 2_000, 10), 0);

        assertThat(arrivals.planned(5 * SECOND)).isEqualTo(5 * (100 + 1_050) / 2.0, within(1e-6));
        assertThat(arrivals.planned(11 * SECOND)).isEqualTo(10_500 + 2_000, within(1e-6));
        arrivals.replan(new RatePlan.Constant(10), 11 * SECOND);
        assertThat(arrivals.planned(12 * SECOND)).isEqualTo(10_500 + 2_000 + 10, within(1e-6));
        assertThat(arrivals.planned(10 * SECOND)).as("before the change").isEqualTo(10_500, within(1e-6));
    }

    @Test
    void shouldMakeTheSameArrivalsFromTheSameSeed() {
        RatePlan plan = new RatePlan.Constant(50);

        assertThat(take(ArrivalTimes.poisson(plan, Seeds.generator(7, 2, -1)), 1_000))
                .containsExactly(take(ArrivalTimes.poisson(plan, Seeds.generator(7, 2, -1)), 1_000))
                .isNotEqualTo(take(ArrivalTimes.poisson(plan, Seeds.generator(8, 2, -1)), 1_000));
    }

    private static long[] take(ArrivalTimes arrivals, int count) {
        long[] times = new long[count];
        for (int i = 0; i < count; i++) {
            times[i] = arrivals.nextNanos();
            arrivals.advance();
        }
        return times;
    }

    private static int countUntil(long[] times, long limit) {
        return (int) Arrays.stream(times).filter(time -> time < limit).count();
    }

    private static double kolmogorovSmirnov(double[] gaps, double rate) {
        double[] sorted = gaps.clone();
        Arrays.sort(sorted);
        double worst = 0;
        for (int i = 0; i < sorted.length; i++) {
            double expected = -Math.expm1(-rate * sorted[i]);
            worst = Math.max(worst, Math.max(expected - (double) i / sorted.length,
                    (double) (i + 1) / sorted.length - expected));
        }
        return worst;
    }
}
