package ch.ethz.mlmq.log_analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class SteadinessTest {
    private static final int TRIALS = 1000;
    private static final int SECONDS = 20;

    @Test
    void shouldNotTakeAFewRequestsMoreForAQueueThatGrows() {
        // of a broker that answered 4,530 requests/s with a p99 of 5 ms
        double[] seen = {0, 1.64, 1.36, 0, 0, 0.54, 0.47, 0, 2.12, 2.95, 0.95, 1.04, 2, 4.58, 3.42, 0.51, 1, 1.53, 2,
            0.91, 2.17};
        Random random = new Random(7);

        assertThat(grows(seen)).isFalse();
        assertThat(shareThatGrows(random, () -> walkFrom(random, 0, 0, 5, SECONDS))).as("a few, at random")
                .isLessThan(0.003);
    }

    /** A queue at its capacity behaves like a random walk that does not go below 0. */
    @Test
    void shouldSeldomTakeAQueueThatStraysForOneThatGrows() {
        Random random = new Random(7);

        assertThat(shareThatGrows(random, () -> walkFrom(random, 1, 0, 67, SECONDS))).isLessThan(0.1);
    }

    @Test
    void shouldSeeAQueueThatGrowsByTwoPerCentOfItsRequests() {
        Random random = new Random(7);

        // 4,530 requests/s that come, and as many less 2 % that are answered: 67 is the root of their number
        assertThat(shareThatGrows(random, () -> walkFrom(random, 1, 90, 67, SECONDS))).isGreaterThan(0.9);
        assertThat(grows(2, 4, 6, 8, 10, 12, 14, 16, 18, 20)).isTrue();
        assertThat(grows(2, 4, 6, 8, 10, 912, 14, 16, 18, 20)).as("one second stood still").isTrue();
    }

    @Test
    void shouldSeeOverHalfAnHourWhatNoiseHidesInASecond() {
        Random random = new Random(7);
        double[] values = new double[1800];
        for (int i = 0; i < values.length; i++) {
            values[i] = 20 + 0.1 * i + 5 * random.nextGaussian();
        }

        assertThat(grows(values)).as("ten times as much at the end").isTrue();
        assertThat(shareThatGrows(random, () -> walkFrom(random, 1, 0, 67, 600))).as("a random walk").isLessThan(0.1);
    }

    /** @param kept share of what waited a second ago */
    private static double[] walkFrom(Random random, double kept, double drift, double deviation, int seconds) {
        double[] values = new double[seconds];
        double state = 0;
        for (int i = 0; i < seconds; i++) {
            state = Math.max(0, kept * state + drift + deviation * random.nextGaussian());
            values[i] = Math.rint(state);
        }
        return values;
    }

    private static double shareThatGrows(Random random, Supplier<double[]> series) {
        int seen = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            seen += grows(series.get()) ? 1 : 0;
        }
        return (double) seen / TRIALS;
    }

    private static boolean grows(double... perSecond) {
        return !Steadiness.of(Map.of("requests in the brokers", perSecond)).orElseThrow().isSteady();
    }
}
