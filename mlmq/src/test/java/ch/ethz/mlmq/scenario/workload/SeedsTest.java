package ch.ethz.mlmq.scenario.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeedsTest {
    @Test
    void shouldGiveTheSameSequenceToTheSameClientOfTheSameRun() {
        assertThat(Seeds.generator(42, 3, 7).longs(100)).containsExactlyElementsOf(
                Seeds.generator(42, 3, 7).longs(100).boxed().toList());
    }

    @Test
    void shouldGiveEachClientOfEachJvmAndEachRunASequenceOfItsOwn() {
        long[] firsts = new long[4 * 10 * 100];
        int n = 0;
        for (long seed = 0; seed < 4; seed++) {
            for (int position = 0; position < 10; position++) {
                for (int client = -1; client < 99; client++) {
                    firsts[n++] = Seeds.generator(seed, position, client).nextLong();
                }
            }
        }

        assertThat(firsts).doesNotHaveDuplicates();
    }
}
