package ch.ethz.mlmq.scenario.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ch.ethz.mlmq.scenario.workload.Seeds;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ThinkTimeTest {
    private final RandomGenerator random = Seeds.generator(1, 0, 0);

    @Test
    void shouldAlwaysBeTheSameWhereFixed() {
        assertThat(sample(new ThinkTime.Fixed(5)).distinct()).containsExactly(5L);
    }

    @Test
    void shouldHaveTheMeanAndTheSpreadOfAnExponential() {
        ThinkTime think = new ThinkTime.Exponential(1_000_000);

        assertThat(sample(think).average().orElseThrow()).isEqualTo(1_000_000, within(20_000.0));
        assertThat(sample(think).filter(nanos -> nanos > 1_000_000).count() / 100_000.0).as("e^-1")
                .isEqualTo(Math.exp(-1), within(0.01));
    }

    @Test
    void shouldStayWithinItsBoundsAndReachThemWhereUniform() {
        assertThat(sample(new ThinkTime.Uniform(3, 5)).distinct().sorted()).containsExactly(3L, 4L, 5L);
    }

    @Test
    void shouldRefuseWhatIsNoTime() {
        assertThatThrownBy(() -> new ThinkTime.Fixed(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ThinkTime.Uniform(5, 4)).hasMessageContaining("shorter than the shortest");
    }

    private LongStream sample(ThinkTime think) {
        return LongStream.generate(() -> think.nextNanos(random)).limit(100_000);
    }
}
