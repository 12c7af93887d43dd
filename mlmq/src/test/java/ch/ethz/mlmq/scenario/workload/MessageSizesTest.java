package ch.ethz.mlmq.scenario.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MessageSizesTest {
    private final RandomGenerator random = Seeds.generator(1, 0, 0);

    @Test
    void shouldAlwaysBeTheSameWhereFixed() {
        assertThat(sample(new MessageSizes.Fixed(100))).containsExactly(100);
    }

    @Test
    void shouldReachBothBoundsAndNothingBeyondWhereUniform() {
        assertThat(sample(new MessageSizes.Uniform(10, 12))).containsExactly(10, 11, 12);
    }

    @Test
    void shouldTakeOnlyWhatIsListed() {
        MessageSizes sizes = new MessageSizes.OneOf(List.of(100, 10, 2000));

        assertThat(sample(sizes)).containsExactly(10, 100, 2000);
        assertThat(sizes.min()).isEqualTo(10);
        assertThat(sizes.max()).isEqualTo(2000);
    }

    @Test
    void shouldRefuseBoundsInDisorderAndAnEmptyList() {
        assertThatThrownBy(() -> new MessageSizes.Uniform(12, 10)).hasMessageContaining("shorter");
        assertThatThrownBy(() -> new MessageSizes.OneOf(List.of())).hasMessageContaining("at least one");
    }

    private int[] sample(MessageSizes sizes) {
        return IntStream.generate(() -> sizes.next(random)).limit(1_000).distinct().sorted().toArray();
    }
}
