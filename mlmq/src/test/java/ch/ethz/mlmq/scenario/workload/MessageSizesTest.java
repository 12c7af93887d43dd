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
    void shouldTakeShortLengthsMoreOftenWhereZipf() {
        MessageSizes sizes = new MessageSizes.Zipf(10, 999);

        assertThat(sample(new MessageSizes.Zipf(10, 12))).containsExactly(10, 11, 12);
        assertThat(shareBelow(100, sizes)).as("as many below 100 as above").isBetween(0.48, 0.52);
    }

    @Test
    void shouldTakeEachPartAsOftenAsItsShareSays() {
        MessageSizes sizes = new MessageSizes.Mixed(List.of(90.0, 10.0), List.of(new MessageSizes.Fixed(100),
                new MessageSizes.Uniform(1_000, 2_000)));

        assertThat(shareBelow(500, sizes)).isBetween(0.89, 0.91);
        assertThat(sizes.min()).isEqualTo(100);
        assertThat(sizes.max()).isEqualTo(2_000);
        assertThatThrownBy(() -> new MessageSizes.Mixed(List.of(90.0), List.of(sizes))).hasMessageContaining("90.0 %");
    }

    private double shareBelow(int limit, MessageSizes sizes) {
        return IntStream.generate(() -> sizes.next(random)).limit(20_000).filter(size -> size < limit).count() / 2e4;
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
