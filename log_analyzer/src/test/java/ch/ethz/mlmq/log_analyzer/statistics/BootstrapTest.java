package ch.ethz.mlmq.log_analyzer.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BootstrapTest {
    @Test
    void shouldSayNothingOfPercentilesBeyondWhichHardlyAnythingWasSeen() {
        Bootstrap.Sample one = new Bootstrap.Sample(Distribution.of(5), 1);
        Bootstrap.Sample two = new Bootstrap.Sample(Distribution.of(5, 7), 2);
        Bootstrap.Sample correlated = new Bootstrap.Sample(Distribution.of(IntStream.range(0, 60_000).toArray()), 100);

        assertThat(Bootstrap.ofDifference(two, one, 99, 0.95)).isEqualTo(Interval.UNKNOWN);
        assertThat(Bootstrap.of(correlated, 99.9, 0.95)).isEqualTo(Interval.UNKNOWN);
        assertThat(Bootstrap.of(correlated, 95, 0.95).contains(57_000)).isTrue();
    }
}
