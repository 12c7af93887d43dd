package ch.ethz.mlmq.scenario.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ChoiceTest {
    private static final int DRAWS = 200_000;

    private final RandomGenerator random = Seeds.generator(1, 0, 0);

    @Test
    void shouldChooseEachAlikeWhereUniform() {
        assertThat(shares(Choice.uniform(4))).containsExactly(new double[] {0.25, 0.25, 0.25, 0.25}, within(0.01));
    }

    @Test
    void shouldPreferTheFirstAsZipfSays() {
        double sum = 1 + 1 / 2.0 + 1 / 3.0;

        assertThat(shares(Choice.zipf(3, 1)))
                .containsExactly(new double[] {1 / sum, 1 / 2.0 / sum, 1 / 3.0 / sum}, within(0.01));
    }

    @Test
    void shouldChooseByWeightAndNeverWhatHasNone() {
        assertThat(shares(Choice.weighted(0, 1, 0, 3, 0)))
                .containsExactly(new double[] {0, 0.25, 0, 0.75, 0}, within(0.01));
        assertThat(shares(Choice.weighted(0, 1, 0, 3, 0))[4]).isZero();
    }

    @Test
    void shouldSampleDifferentThings() {
        Choice choice = Choice.zipf(10, 2);

        for (int i = 0; i < 1_000; i++) {
            assertThat(choice.sample(4, random)).hasSize(4).doesNotHaveDuplicates();
        }
    }

    @Test
    void shouldSampleAllThereIsWhereMoreIsAskedFor() {
        assertThat(Arrays.stream(Choice.zipf(3, 5).sample(7, random)).sorted()).containsExactly(0, 1, 2);
    }

    @Test
    void shouldRefuseWeightsThatChooseNothing() {
        assertThatThrownBy(() -> Choice.weighted(0, 0)).hasMessageContaining("nothing to choose");
        assertThatThrownBy(() -> Choice.weighted(1, -1)).hasMessageContaining("weight");
        assertThatThrownBy(() -> Choice.zipf(3, -0.5)).hasMessageContaining("exponent");
    }

    private double[] shares(Choice choice) {
        double[] shares = new double[choice.count()];
        for (int i = 0; i < DRAWS; i++) {
            shares[choice.next(random)] += 1.0 / DRAWS;
        }
        return shares;
    }
}
