package ch.ethz.mlmq.log_analyzer.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DistributionTest {
    private final Distribution tenToForty = Distribution.of(40, 10, 20, 20, 30);

    @Test
    void shouldGiveMomentsOfTheSample() {
        assertThat(tenToForty.count()).isEqualTo(5);
        assertThat(tenToForty.mean()).isEqualTo(24);
        assertThat(tenToForty.variance()).isCloseTo(130, within(1e-9));
        assertThat(tenToForty.min()).isEqualTo(10);
        assertThat(tenToForty.max()).isEqualTo(40);
    }

    @Test
    void shouldGiveTheSmallestValueThatEnoughDoNotExceed() {
        assertThat(tenToForty.percentiles(0, 20, 20.1, 50, 60, 80.1, 100)).containsExactly(10, 10, 20, 20, 20, 40, 40);
    }

    @Test
    void shouldNotBeOneOffWhereARankIsWholeButForRounding() {
        int[] thousand = IntStream.rangeClosed(1, 1000).toArray();

        assertThat(Distribution.of(thousand).percentiles(2.5, 29, 57, 97.5, 99.9))
                .containsExactly(25, 290, 570, 975, 999);
    }

    @Test
    void shouldHaveNoVarianceOfASingleValue() {
        assertThat(Distribution.of(7).variance()).isNaN();
        assertThat(Distribution.EMPTY.mean()).isNaN();
    }
}
