package ch.ethz.mlmq.log_analyzer.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class Mser5Test {
    private final Random random = new Random(7);

    @Test
    void shouldCutAboutTheTransient() {
        double[] settling = series(1_000, i -> i < 200 ? 50 - i * 0.2 : 10);

        assertThat(Mser5.truncation(settling).getAsInt()).isBetween(180, 215);
    }

    @Test
    void shouldCutNextToNothingFromWhatIsSteady() {
        assertThat(Mser5.truncation(series(1_000, i -> 10)).getAsInt()).isLessThan(200);
    }

    @Test
    void shouldProposeNothingWhereItNeverGetsSteady() {
        assertThat(Mser5.truncation(series(1_000, i -> i))).isEmpty();
    }

    @Test
    void shouldProposeNothingFromTooFew() {
        assertThat(Mser5.truncation(1, 2, 3)).isEmpty();
    }

    private double[] series(int length, IntToDoubleFunction level) {
        return IntStream.range(0, length).mapToDouble(i -> level.applyAsDouble(i) + random.nextGaussian()).toArray();
    }
}
