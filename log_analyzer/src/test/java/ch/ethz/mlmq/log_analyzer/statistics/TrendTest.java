package ch.ethz.mlmq.log_analyzer.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class TrendTest {
    private static final int TRIALS = 200;

    @Test
    void shouldSeeATrendByChanceAsOftenAsItSays() {
        assertThat(share(0, 0, 60)).as("independent").isBetween(0.01, 0.1);
        assertThat(share(0.5, 0, 60)).as("neighbours alike").isLessThan(0.12);
        assertThat(share(0.9, 0, 120)).as("neighbours very much alike").isLessThan(0.15);
    }

    @Test
    void shouldSeeAQueueThatGrows() {
        // halves differ by 3 deviations, with an error of 0.45 of them: 6.7 times, where 1.96 are enough
        assertThat(share(0.5, 0.1, 60)).as("by a tenth of its deviation each second").isGreaterThan(0.99);
    }

    /** Hirsch, Slack, Smith 1982 compute S by hand for such a series. */
    @Test
    void shouldGiveScoreAndSlopeOfASmallSeries() {
        MannKendall rising = MannKendall.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);

        assertThat(rising.slope()).isEqualTo(1);
        // S = 45, variance 10 x 9 x 25 / 18 = 125
        assertThat(rising.probability()).isCloseTo(8.3e-5, within(1e-6));
        assertThat(MannKendall.of(3, 3, 3, 3, 3, 3, 3, 3, 3, 3).probability()).isEqualTo(1);
    }

    @Test
    void shouldGiveTheStudentizedRangesOfTables() {
        assertThat(new StudentizedRange(4, 16).quantile(0.95)).isCloseTo(4.046, within(0.002));
        assertThat(new StudentizedRange(3, 10).quantile(0.95)).isCloseTo(3.877, within(0.002));
        assertThat(new StudentizedRange(2, 2).quantile(0.95)).isCloseTo(6.085, within(0.02));
        assertThat(new StudentizedRange(10, 60).quantile(0.99)).isCloseTo(5.45, within(0.01));
    }

    /** @return in how many of the trials a trend is seen in an autoregressive series of deviation 1 */
    private static double share(double coefficient, double slope, int length) {
        Random random = new Random(7);
        int seen = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            double[] series = new double[length];
            double state = random.nextGaussian();
            for (int i = 0; i < length; i++) {
                state = coefficient * state + Math.sqrt(1 - coefficient * coefficient) * random.nextGaussian();
                series[i] = state + slope * i;
            }
            seen += MannKendall.of(series).probability() < 0.05 ? 1 : 0;
        }
        return (double) seen / TRIALS;
    }
}
