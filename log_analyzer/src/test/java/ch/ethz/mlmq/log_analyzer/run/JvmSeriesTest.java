package ch.ethz.mlmq.log_analyzer.run;

import static org.assertj.core.api.Assertions.assertThat;

import ch.ethz.mlmq.log_analyzer.source.Place;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JvmSeriesTest {
    private static final Place PLACE = Place.of("logs/m/client_0/gauges_client_0.csv", "");

    @Test
    void shouldTellACounterAtTheEndOfAPhaseByWhatItGrewInIt() {
        JvmSeries rising = series(500, 50, 1_500, 150, 2_500, 1_200);

        assertThat(rising.atEndOf(new TimeRange(0, 2_000))).isEqualTo(200);
        assertThat(rising.at(2_000)).as("half of what it grew in the next phase, too").isEqualTo(675);
    }

    @Test
    void shouldTellNoMoreThanWasCountedAfterwards() {
        assertThat(series(500, 50, 1_500, 150, 2_500, 151).atEndOf(new TimeRange(0, 2_000))).isEqualTo(151);
    }

    @Test
    void shouldTellTheEndOfAShortPhaseByWhatGrewBehindIt() {
        JvmSeries spike = series(500, 50, 1_500, 150, 2_500, 1_200, 3_500, 2_250, 4_500, 2_350);

        assertThat(spike.atEndOf(new TimeRange(2_000, 3_000))).isEqualTo(2_200);
        assertThat(series(2_500, 200, 3_500, 250, 4_500, 2_350).atEndOf(new TimeRange(2_000, 3_000)))
                .as("no less than was counted before").isEqualTo(200);
    }

    @Test
    void shouldInterpolateWhereFewerThanTwoPointsAreInAPhaseOrBehindIt() {
        assertThat(series(500, 50, 1_500, 150).atEndOf(new TimeRange(600, 1_000))).isEqualTo(100);
        assertThat(series(500, 50, 1_500, 150).atEndOf(new TimeRange(0, 9_000))).as("nothing later").isEqualTo(150);
    }

    private static JvmSeries series(double... timesAndValues) {
        return new JvmSeries(PLACE, "sent", IntStream.range(0, timesAndValues.length / 2)
                .mapToObj(i -> new double[] {timesAndValues[2 * i], timesAndValues[2 * i + 1]}).toList());
    }
}
